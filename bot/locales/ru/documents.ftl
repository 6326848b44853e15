# Files of every kind: why one cannot be read, and what could not be had from one.

source-heic = Фото в формате HEIC прочитать не могу. Отправьте его как фото, а не файлом: Telegram сам переведёт его в JPEG.
source-protected = Книга защищена от копирования, и её текст зашифрован. Пришлите копию без защиты.
source-picture-too-large = Картинка слишком большая. Уменьшите её, например вдвое, и пришлите снова.
archive-nothing = В архиве нет файлов, которые я умею читать. Подойдут PDF, Word, презентации, таблицы, книги, фото и записи.
document-service-away = Программа, которая открывает такие файлы, сейчас не отвечает. Попробую ещё раз чуть позже.
document-service-busy = { document-service-away }

lost-rows = Лист «{ $sheet }»: { $read ->
        [one] прочитана { $read } строка
        [few] прочитаны { $read } строки
       *[other] прочитано { $read } строк
    } из { $total }.
lost-table-rows = { $read ->
        [one] Прочитана { $read } строка
        [few] Прочитаны { $read } строки
       *[other] Прочитано { $read } строк
    } из { $total }.
lost-formulas = В таблице { $count ->
        [one] { $count } формула
        [few] { $count } формулы
       *[other] { $count } формул
    } без сохранённого результата. Откройте файл, пересохраните и пришлите снова.
lost-members = { $count ->
        [one] Не подошёл { $count } файл
        [few] Не подошли { $count } файла
       *[other] Не подошли { $count } файлов
    }: { $names }.
lost-members-locked = Под паролем { $count ->
        [one] { $count } файл
        [few] { $count } файла
       *[other] { $count } файлов
    }: { $names }.
lost-members-archives = Архивы внутри архива не открываю, пришлите их отдельно: { $names } ({ $count }).
lost-members-beyond = Не поместились { $count ->
        [one] { $count } файл
        [few] { $count } файла
       *[other] { $count } файлов
    }: { $names }. Пришлите их отдельно.

source-container-empty = В «{ $name }» не нашлось ничего, что можно прочитать.
