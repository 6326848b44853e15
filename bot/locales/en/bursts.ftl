### What was sent together: one status message and its buttons.

burst-note = “{ $note }”
burst-nothing-new = No new sources · { $notebook }
burst-nothing-left = There are no sources from here any more.
burst-known = ✔ already in this notebook: { $names }
burst-undone = { $count ->
    [1] Undone, the source is removed · { $notebook }
    [one] Undone, { $count } source removed · { $notebook }
   *[other] Undone, { $count } sources removed · { $notebook }
}
burst-undone-toast = { $count ->
    [one] { $count } source removed
   *[other] { $count } sources removed
}
burst-links-toast = { $count ->
    [0] There is nothing left to add
    [one] { $count } link added
   *[other] { $count } links added
}
burst-retry-toast = { $count ->
    [0] There is nothing left to try again
   *[other] Reading again: { $count }
}
burst-choose-target = Move it to which notebook?
burst-no-target = There is no other notebook yet. Make one in /notebooks and press the button again.
burst-moved = Moved to “{ $notebook }”.
burst-gone = This is no longer among what was sent. The sources are in /sources.

item-refreshing = ✔ { $title } — updating

undo-too-late = You can undo within the first ten minutes. Now delete what you do not need in /sources.
undo-nothing = There is nothing left here.
refresh-not-needed = This source is being read already, or there is no reason to read it again.
caption-source-failed = There is nothing to answer from: what you sent with the question could not be read. The reason is given above.
caption-source-late = What you sent with the question takes longer to read than usual. Ask again once it is ready.

source-no-text = Stickers, polls, contacts, places and GIFs hold no text, so there is nothing to read. Send a file, a photo, a voice message, a link or the text itself.
links-too-many = { $limit ->
    [one] I take at most { $limit } link from one message. Send the other { $count } separately.
   *[other] I take at most { $limit } links from one message. Send the other { $count } separately.
}

source-refreshed = Updated: { $added } new passages, { $removed } gone. { $first }
source-refreshing = Updating; meanwhile I answer from the earlier text
source-about = { $about }
source-caption = Caption: { $caption }
source-caption-of = Caption { $number }: { $caption }
title-album = { $count ->
    [one] Album, { $count } photo
   *[other] Album, { $count } photos
}

extractor-words = Taken as it came
extractor-ocr = Recognised from the picture
extractor-vision = Read from the picture by a language model
extractor-speech = Written down from speech
extractor-subtitles = Taken from the subtitles
extractor-browser = Read in a browser
extractor-reader = Read through a page reading service
extractor-office = Read through LibreOffice

kind-csv = CSV table
kind-pptx = Presentation
kind-xlsx = Excel table
kind-odt = OpenDocument text
kind-odp = OpenDocument presentation
kind-ods = OpenDocument table
kind-doc = Word 97–2003
kind-ppt = PowerPoint 97–2003
kind-xls = Excel 97–2003
kind-rtf = RTF
kind-epub = EPUB book
kind-fb2 = FB2 book
kind-djvu = DjVu
kind-image = Photo
kind-web = Page
kind-youtube = Video
kind-playlist = Playlist
kind-archive = Archive

button-undo = Undo
button-move = To another notebook
button-add-links = Add the links ({ $count })
button-retry = Try again
button-refresh = Update
button-open-link = Open
