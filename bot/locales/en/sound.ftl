### Voice messages, audio and video; files above 20 MB.

kind-audio = Recording

stage-listen = listening to the recording
stage-listen-pieces = { $total ->
    [one] listening to the recording: { $done } of { $total } part
   *[other] listening to the recording: { $done } of { $total } parts
}

source-no-speech = No speech can be heard here: only silence, music or noise. Check the recording and send it again.
source-sound-too-long = { $hours ->
    [one] The recording is too long: it can be { $hours } hour at most. Split it into parts.
   *[other] The recording is too long: it can be { $hours } hours at most. Split it into parts.
}
source-voice-not-configured =
    Speech recognition is not connected here, so voice messages, audio and video cannot be read yet.

    Send the same as text. Telegram Premium turns a voice message into text: copy it from there. The bot’s owner can connect speech recognition.
lost-sound = { $from }–{ $to } could not be heard

sound-no-space = The server has run out of disk space, and the recording has not been heard yet. Send it again a little later.

source-over-telegram =
    The file is too large: Telegram hands over { $limit_mb } MB to bots at most.

    Split it into parts, compress it, or send a link that opens it. The bot’s owner can lift this limit by connecting a Telegram server of their own.

## The speech recognition service

speech-rate-limited = Speech recognition is busy right now. Send the recording again a little later.
speech-timeout = Speech recognition does not answer. Send the recording again a little later.
speech-unavailable = Speech recognition is not available right now. Send the recording again a little later.
speech-dropped = { speech-unavailable }
speech-broken-reply = { speech-unavailable }
speech-empty = { speech-unavailable }
speech-auth = The speech recognition service does not accept this bot’s key. Only its owner can put that right; meanwhile, send the same as text.
speech-no-credit = The bot has no credit left for speech recognition. Only its owner can top it up; meanwhile, send the same as text.
speech-unknown-model = Speech recognition is set up wrongly. Only the bot’s owner can put that right; meanwhile, send the same as text.
speech-context-too-long = The speech recognition service did not accept such a long recording. Split it into parts.
speech-bad-request = The speech recognition service did not accept this recording. Save it in another form, for example as MP3, and send it again.
speech-content-filter = The speech recognition service did not let this recording pass. Send the same as text.
