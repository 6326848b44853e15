# Files of every kind: why one cannot be read, and what could not be had from one.

source-heic = I can't read HEIC photos. Send it as a photo, not as a file: Telegram turns it into a JPEG by itself.
source-protected = This book is copy-protected and its text is encrypted. Please send an unprotected copy.
source-picture-too-large = This picture is too large. Make it smaller, for example by half, and send it again.
archive-nothing = There is nothing in this archive that I can read. PDF, Word, slides, tables, books, photos and recordings will do.
document-service-away = The program that opens such files is not answering right now. I will try again a little later.
document-service-busy = { document-service-away }

lost-rows = Sheet “{ $sheet }”: { $read } of { $total } rows were read.
lost-table-rows = { $read } of { $total } rows were read.
lost-formulas = The table has { $count ->
        [one] { $count } formula
       *[other] { $count } formulas
    } without a stored result. Open the file, save it again and send it once more.
lost-members = { $count ->
        [one] { $count } file could not be used
       *[other] { $count } files could not be used
    }: { $names }.
lost-members-locked = { $count ->
        [one] { $count } file is
       *[other] { $count } files are
    } behind a password: { $names }.
lost-members-archives = I don't open archives inside an archive, please send them separately: { $names } ({ $count }).
lost-members-beyond = { $count ->
        [one] { $count } file did
       *[other] { $count } files did
    } not fit: { $names }. Please send the rest separately.

source-container-empty = There is nothing in “{ $name }” that can be read.
