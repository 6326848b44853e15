## YouTube videos and playlists

youtube-bad-id = This looks like a YouTube link, but it names no video: the video’s code is cut off or mistyped. Copy the link with the Share button under the video and send it again.
youtube-not-a-video = This is a page of YouTube, but neither a video nor a playlist. Open the video you need and send its link.
youtube-private = The author keeps this video private: only invited people can watch it. Ask the author to share it by link, or send another video.
youtube-gone = This video is no longer on YouTube: it was removed or hidden. Check the link, or send another recording of the same lecture.
youtube-age = YouTube shows this video only to signed-in adults, so its words are not given to me. Send a text or notes of it instead.
youtube-members = This video is for the channel’s members or for payment only, so its words are not given to me. Send a text or notes of it instead.
youtube-region = This video is not shown in the country where the bot runs. Send its text, or another recording of the same lecture.
youtube-live-later = The broadcast has not begun or is still on air. Send the link again a few hours after it ends: subtitles will be there by then.
youtube-no-transcript = This video has no subtitles, not even automatic ones. If it is new, send the link again in a few hours: automatic ones take a while. Otherwise slides, notes or a text of the lecture will do.
youtube-blocked = YouTube is not giving subtitles to this bot right now. That passes by itself; send the link again a little later. If it is urgent, copy the video’s transcript and send it as text.
youtube-busy = Other videos are being read right now. Send the link again in a few minutes.
youtube-too-long = The video is longer than { $hours } h, so its sound cannot be transcribed. Send a shorter recording or a text of the lecture.
youtube-list-empty = There are no videos in this playlist that can be opened. Send links to the videos themselves.
youtube-list-private = This playlist is private or deleted. Ask its author to share it by link, or send links to the videos themselves.
lost-times = Without time stamps: links in answers lead to the start of the video.
lost-videos = { $count ->
    [one] { $count } more video of the playlist was not added: it is unavailable or did not fit. Send it as a link of its own.
   *[other] { $count } more videos of the playlist were not added: they are unavailable or did not fit. Send those you need as links of their own.
}
