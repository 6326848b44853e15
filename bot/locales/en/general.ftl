### Everything a person reads in English.
###
### Texts of messages are Telegram's HTML (<b>, <i>, <code>); values are escaped by themselves. Buttons (button-), notes
### on answers (answer-) and titles carry no markup.

## First words

start =
    Send me a lecture, a paper or your notes: PDF, Word, slides, photos, voice messages, a link to a page or a video. Forwarded messages are fine too.

    I will read them and answer your questions from them alone, showing where each thing is written. If the answer is not there, I will say so.

example =
    The notebook “{ $notebook }” holds a short article about how we forget. Ask, for example:

    • How much is left after a day?
    • What slows forgetting down?
    • How much is a ticket to Berlin?

    Tap a number under the answer to see the place in the article. It does not answer the last question, and I will not make anything up.

example-notebook = Example: memory
example-title = The forgetting curve
example-text =
    In 1885 the German psychologist Hermann Ebbinghaus published the book “Memory”. He experimented on himself: he learned lists of nonsense syllables and measured how much time he saved when learning them again.

    Right after learning, forgetting is fast. After twenty minutes about 58 percent was left, after an hour about 44, after a day about 34. Then the losses slow down: after six days about 25 percent was left, after a month about 21.

    Material that makes sense is forgotten more slowly than nonsense syllables. Repetition slows forgetting down as well, and repetitions spread over days work better than the same number in a row.

help =
    <b>How it works</b>

    Files, photos, recordings, links, forwarded messages and long texts become sources. A short message is a question, and so is a caption that asks.

    Answers carry numbers: [1], [2]. Tap a number under the answer to read that place in the source.

    Sources live in notebooks. An answer is looked for only in the notebook that is open now.

    /sources — what has been read
    /notebooks — notebooks
    /new — start a fresh conversation
    /privacy — who sees your files

help-group =
    <b>How it works in a group</b>

    Reply to a file or a message with /add, and it becomes a source. Other talk is not stored.

    Ask with /ask, or reply to one of my messages.

    /sources — what has been read
    /privacy — who sees your files

privacy =
    <b>Who sees your files</b>

    Sources, questions and answers are stored on the bot’s server, which its owner can access. Other people do not see your notebooks; a group’s notebook is seen by its members. Like any talk with a bot, messages travel through Telegram.

    { $outside }

    A deleted source is gone at once, with its text and everything made from it. Messages in the chat are yours to delete.

privacy-local = Nothing is passed to other services: search and answers run on this same server.
privacy-llm = To write an answer, the question and the matching passages are sent to a language model: { $service }. It also sums up new sources: for that it is sent their text, of long ones pieces.
privacy-embedding = To search by meaning, the text of your sources and your questions are sent to { $service }.

language-choose = The language of my messages. An answer is always in the language of the question.
language-chosen = English from now on.
language-ru = Русский
language-en = English

new-conversation = A fresh conversation: earlier questions no longer count. Your sources are still here.

command-help = How it works
command-sources = What has been read
command-notebooks = Notebooks
command-new = Start a fresh conversation
command-privacy = Who sees my files
command-language = Language
command-ask = Ask the sources a question
command-add = Keep a message as a source

button-example = Example
button-privacy = Who sees my files?
button-language = Language
button-own-notebook = Back to my notebook
button-back = ‹ Back

## What has come and how it is read

burst-reading = Reading { $count } · { $notebook }
burst-some-ready = { $ready } of { $count } ready · { $notebook }
burst-ready = { $count ->
    [1] Read · { $notebook }
   *[other] { $count } read · { $notebook }
}
burst-ready-of = { $ready } of { $count } read · { $notebook }
burst-failed = Could not be read · { $notebook }
burst-ask-already = You can already ask about what is ready.
burst-ask = You can ask now.
burst-more = and { $count } more
burst-more-ready = ✔ and { $count } more

item-active = · { $title } — { $stage }
item-ready = ✔ { $title }
item-partial = ≈ { $title } — { $what }
item-failed = ✖ { $title }
    { $reason }

stage-queued = waiting
stage-fetch = loading
stage-extract = reading
stage-extract-pages = { $total ->
    [one] reading: { $done } of { $total } page
   *[other] reading: { $done } of { $total } pages
}
stage-ocr = recognising a scan
stage-ocr-pages = { $total ->
    [one] recognising a scan: { $done } of { $total } page
   *[other] recognising a scan: { $done } of { $total } pages
}
stage-clean = tidying the text
stage-chunk = cutting into passages
stage-index = preparing for search
stage-embed = you can ask already, search is getting better
stage-embed-chunks = { $total ->
    [one] you can ask already, search is getting better: { $done } of { $total } passage
   *[other] you can ask already, search is getting better: { $done } of { $total } passages
}

partial-pages = { $total ->
    [one] { $read } of { $total } page read: no text on { $missing }
   *[other] { $read } of { $total } pages read: no text on { $missing }
}
partial-other = not all of it could be read
missing-pages = { $count ->
    [1] page { $pages }
   *[other] pages { $pages }
}

source-duplicate = “{ $title }” is already in this notebook, there is no need to read it again.

button-keep-as-source = This is a source, keep it
button-ask-instead = This is a question

## Sources

sources-header = 📄 <b>{ $notebook }</b> · { $count ->
    [one] { $count } source
   *[other] { $count } sources
}
sources-empty = The notebook “{ $notebook }” is still empty. Send a file, forward a message or paste a long text.
sources-page = Page { $page } of { $pages }

source-state-queued = Waiting its turn
source-state-ready = ✔ Read
source-state-partial = ≈ { $what }
source-state-failed = ✖ Not read
source-failed-short = not read
source-muted = Left out of answers
source-muted-short = off
source-from = From: { $author }
source-read-by = Read by { $extractor }
source-attempts = How it was read:

attempt-won = { $extractor }: read
attempt-rejected = { $extractor }: { $reason ->
    [empty] no text
    [scan-without-text] only pictures, no text
    [garbled] random signs instead of letters
   *[other] the text is not usable
}
attempt-unavailable = { $extractor }: not installed here
attempt-failed = { $extractor }: could not cope
attempt-timeout = { $extractor }: ran out of time
attempt-out_of_memory = { $extractor }: ran out of memory

kind-text = Text
kind-plain_file = Text file
kind-pdf = PDF
kind-docx = Word
kind-html = Web page
size-pages = { $count ->
    [one] { $count } page
   *[other] { $count } pages
}
size-characters = { $count ->
    [one] { $count } character
   *[other] { $count } characters
}
size-file = { MEGABYTES($bytes) }

source-delete-confirm =
    Delete “{ $title }”?

    Its text, its passages and everything made from them go at once. They cannot be brought back, but the file can be sent again.
source-deleted = “{ $title }” is deleted.

button-mute = Leave out of answers
button-unmute = Use in answers again
button-delete = Delete
button-delete-sure = Yes, delete
button-keep = No, keep it
button-sources = Sources
button-to-sources = ‹ To the list

## Notebooks

notebooks-header = <b>Your notebooks</b>

    Answers come from the one marked ✔.
notebook-first = My first notebook
notebook-label = { $title } · { $count }
notebook-label-active = ✔ { $title } · { $count }
notebook-label-archived = { $title } · archived
notebook-card = <b>{ $title }</b>

    { $count ->
        [0] Still empty: send a file, forward a message or paste a long text.
        [one] { $count } source.
       *[other] { $count } sources.
    }
notebook-card-active = Open now: new sources go here, answers come from here.
notebook-card-archived = Archived.
notebook-new-prompt = What shall the new notebook be called? Send the title in one message.
notebook-rename-prompt = What shall “{ $title }” be called now? Send the new title in one message.
notebook-made = The notebook “{ $title }” is made and open. Send its first source.
notebook-renamed = It is called “{ $title }” now.
notebook-switched = The notebook “{ $title }” is open.
notebook-archived = The notebook “{ $title }” is archived. It stays in the list: /notebooks.
notebook-unarchived = The notebook “{ $title }” is back from the archive.
notebook-delete-confirm = Delete “{ $title }”?

    { $count ->
        [0] There are no sources in it.
        [one] Its { $count } source and all answers from it go too. They cannot be brought back.
       *[other] Its { $count } sources and all answers from them go too. They cannot be brought back.
    }
notebook-deleted = The notebook “{ $title }” is deleted.
cancelled = All right, nothing has changed.

button-notebooks = Notebooks
button-to-notebooks = ‹ All notebooks
button-new-notebook = New notebook
button-switch = Open this notebook
button-rename = Rename
button-archive = Archive
button-unarchive = Take out of the archive
button-cancel = Cancel

## Question and answer

asking-searching = Looking through your sources…
asking-notebook-deleted = The notebook was deleted, so there is nothing to answer from.
asking-stopped = Stopped.
asking-stop-too-late = There is nothing left to stop.
button-stop = Stop

answer-footer = { $searched ->
    [one] From { $used } of { $searched } source.
   *[other] From { $used } of { $searched } sources.
}
answer-reading = { $count ->
    [one] Still reading { $count } source: with it the answer may become fuller.
   *[other] Still reading { $count } sources: with them the answer may become fuller.
}
answer-extractive = These are passages from the sources word for word, without a language model.
answer-model-silent = The language model did not answer, so these are passages from the sources word for word. No request was spent.
answer-no-prompts = There are no requests left, so these are passages from the sources word for word.
answer-unsupported = ✖ — no support for this was found in the sources. Check it yourself.
answer-cut-off = The answer breaks off here.
answer-prompts-left = { $count ->
    [0] No requests are left. From now on answers are passages from the sources.
    [one] { $count } request left.
   *[other] { $count } requests left.
}
answer-place-page = { $n } · p. { $page }
answer-place-time = { $n } · { $time }

refusal = { $searched ->
    [one] The notebook does not hold an answer to this: { $searched } source was searched.
   *[other] The notebook does not hold an answer to this: { $searched } sources were searched.
}
refusal-next = Try other words, or send something that speaks of it.
refusal-empty = There is nothing to answer from yet: the notebook has no sources. Send a file, forward a message or paste a long text.
refusal-reading = { $count ->
    [one] There is nothing to answer from yet: { $count } source is still being read. Ask again in a moment.
   *[other] There is nothing to answer from yet: { $count } sources are still being read. Ask again in a moment.
}

## The place in the source

evidence-page = p. { $page }
evidence-supported = ≈ The answer says this in its own words.
evidence-not-found = ✖ This passage does not support what the answer says.
evidence-deleted = The source is no longer in the notebook. Only the quote is kept.
citation-gone = This citation is gone.
button-open-message = Open the message
button-previous = ‹ { $n }
button-next = { $n } ›

## Groups

group-joined =
    Hello. Here I keep the shared notebook “{ $notebook }”: I read what you give me and answer only from what I have read.

    To keep something, reply to the file or message with /add. To ask, write /ask and the question, or reply to one of my messages.

    Ordinary talk is not stored.
group-privacy-mode =
    At the moment I see only commands and replies to my messages: this is how Telegram protects your talk. Files can be kept all the same, by replying to them with /add.

    If I should see when I am mentioned, an administrator can make me an administrator of the group; any single right is enough.
group-admins-only = Only administrators of the group can do this.
group-add-how = Reply with /add to the file or message that shall be kept.
group-ask-how = Write the question after the command: /ask what is entropy?
group-topic-closed = This topic is closed, nothing can be written there.

## When something is wrong

error-generic = Something went wrong. The error has been noted; please try again a little later.
error-stale = This button is out of date. Open the list again: /sources or /notebooks.
error-busy = There are many requests just now. Wait a little and try again.
database-away = The storage does not answer. Nothing is lost; try again in a minute.
queue-away = The queue does not answer. Everything is written down and will be done as soon as it is back.
telegram-away = Telegram does not answer. The file has not arrived yet; send it again a little later.
telegram-busy = Telegram asks to wait. Try again in a minute.
person-needed = This can only be done in your own name, not as a group or a channel.

notebook-gone = This notebook does not exist, or it is not open to you. See the list: /notebooks.
notebook-limit = There can be at most { $limit } notebooks. Delete one you do not need: /notebooks.
notebook-title-empty = A title cannot be empty. Send at least one word.

question-gone = This question is gone. Ask it again.
question-empty = Write the question itself.
question-too-long = { $limit ->
    [one] A question can have at most { $limit } character. A long text is better sent as a source.
   *[other] A question can have at most { $limit } characters. A long text is better sent as a source.
}
notebook-empty = { refusal-empty }
notebook-empty-group = There is nothing to answer from yet: the notebook of this group has no sources. Answer a file or a message with /add.

source-not-yours = Only the person who added this source can do that.
source-gone = This source is gone.
source-too-many = { $limit ->
    [one] A notebook can hold at most { $limit } source. Delete what you do not need in /sources, or make a new notebook.
   *[other] A notebook can hold at most { $limit } sources. Delete what you do not need in /sources, or make a new notebook.
}
source-too-large =
    The file is too large: it can be { $limit_mb } MB at most.

    Split it into parts, shrink the pictures in the PDF, or send the text alone.
source-too-many-pages = The document has { $pages ->
        [one] { $pages } page
       *[other] { $pages } pages
    }, and at most { $limit } can be read. Split it into parts.
source-not-supported = I do not read such files yet. PDF, documents, tables and slides, books, photos, recordings and text files are fine.
source-empty = It is empty: there is nothing to read. Check the file and send it again.
source-not-text = This does not look like text. PDF, documents, tables and slides, books, photos, recordings and text files are fine.
source-unknown-encoding = The encoding of this text is not clear. Save the file as UTF-8 and send it again.
source-damaged = The file is damaged and does not open. Check that it opens on your side and send it again.
source-encrypted = The file is locked with a password. Send a copy without one; do not send the password itself.
source-bomb = This file grows far too large when unpacked, and it is not safe to open it. Save the document anew, for example as PDF, and send that.
source-scan-without-text = This is a scan without text: its pages hold only pictures. Run it through any OCR program and send the PDF with its text.
source-garbled = The text in the file is stored so that random signs come out instead of letters. Send another copy, for example a Word file or a PDF saved anew.
source-unreadable = The file could not be read. Save it in another form, for example as PDF or Word, and send it again.
source-too-heavy = The file is too complex: there was not enough time or memory. Split it into parts and send them one by one.
source-partial = { $total ->
    [one] { $read } of { $total } page read. No text was found on the rest: there may be only pictures.
   *[other] { $read } of { $total } pages read. No text was found on the rest: there may be only pictures.
}
source-broke = Reading breaks off on this file. Save it in another form, for example as PDF, and send it again.
source-gone-remote = Telegram no longer hands out this file. Send it again.
source-file-missing = The file “{ $name }” is not there.
extraction-failed = { source-unreadable }
extraction-timeout = { source-too-heavy }
extraction-out-of-memory = { source-too-heavy }
extraction-no-process = The server is overloaded, and the file has not been read yet. Send it again a little later.
search-away = The search is not answering now. Ask again in a minute.
search-failed = The search did not work. Ask again in a minute.

## The language model and search by meaning

llm-rate-limited = The language model is busy. Ask again in a minute.
llm-timeout = The language model is silent. Ask again in a minute.
llm-unavailable = The language model is not available. Ask again a little later.
llm-dropped = The connection to the language model broke. Ask again.
llm-broken-reply = The language model’s answer could not be understood. Ask again.
llm-empty = The language model answered nothing. Ask again, or in other words.
llm-auth = The language model does not accept this bot’s key. Only the bot’s owner can put it right.
llm-no-credit = The bot has run out of credit for its language model. Only the bot’s owner can top it up.
llm-unknown-model = The language model is set up wrongly. Only the bot’s owner can put it right.
llm-context-too-long = The question and its passages did not fit into the language model. Ask something shorter, or one thing at a time.
llm-bad-request = The language model did not accept the question. Ask in other words.
llm-content-filter = The language model’s service withheld this answer. Ask in other words.

embeddings-rate-limited = { embeddings-unavailable }
embeddings-timeout = { embeddings-unavailable }
embeddings-unavailable = Search by meaning is not available just now. Search by words works.
embeddings-dropped = { embeddings-unavailable }
embeddings-broken-reply = { embeddings-unavailable }
embeddings-empty = { embeddings-unavailable }
embeddings-auth = { embeddings-unavailable }
embeddings-no-credit = { embeddings-unavailable }
embeddings-unknown-model = { embeddings-unavailable }
embeddings-context-too-long = { embeddings-unavailable }
embeddings-bad-request = { embeddings-unavailable }
embeddings-content-filter = { embeddings-unavailable }
embeddings-wrong-size = { embeddings-unavailable }
