### Что прислали вместе: одно сообщение о состоянии и его кнопки.

burst-note = «{ $note }»
burst-nothing-new = Новых источников нет · { $notebook }
burst-nothing-left = Источников отсюда больше нет.
burst-known = ✔ уже есть в этом блокноте: { $names }
burst-undone = { $count ->
    [1] Отменено, источник убран · { $notebook }
    [one] Отменено, убран { $count } источник · { $notebook }
    [few] Отменено, убрано { $count } источника · { $notebook }
   *[other] Отменено, убрано { $count } источников · { $notebook }
}
burst-undone-toast = { $count ->
    [one] Убран { $count } источник
    [few] Убрано { $count } источника
   *[other] Убрано { $count } источников
}
burst-links-toast = { $count ->
    [0] Добавлять уже нечего
    [one] Добавлена { $count } ссылка
    [few] Добавлены { $count } ссылки
   *[other] Добавлено { $count } ссылок
}
burst-retry-toast = { $count ->
    [0] Повторять уже нечего
   *[other] Читаю ещё раз: { $count }
}
burst-choose-target = В какой блокнот перенести?
burst-no-target = Другого блокнота пока нет. Создайте его в /notebooks и нажмите кнопку ещё раз.
burst-moved = Перенесено в «{ $notebook }».
burst-gone = Этого сообщения больше нет среди присланного. Источники лежат в /sources.

item-refreshing = ✔ { $title } — обновляю

undo-too-late = Отменить можно в первые десять минут. Теперь удалите ненужное в /sources.
undo-nothing = Здесь уже ничего нет.
refresh-not-needed = Этот источник уже читается или его незачем читать снова.
caption-source-failed = Ответить не по чему: то, что вы прислали вместе с вопросом, прочитать не удалось. Причина указана выше.
caption-source-late = То, что вы прислали вместе с вопросом, читается дольше обычного. Спросите ещё раз, когда оно будет готово.

source-no-text = Стикеры, опросы, контакты, места и гифки читать не получится: в них нет текста. Пришлите файл, фото, голосовое, ссылку или сам текст.
links-too-many = { $limit ->
    [one] Из одного сообщения беру не больше { $limit } ссылки. Остальные ({ $count }) пришлите отдельно.
   *[other] Из одного сообщения беру не больше { $limit } ссылок. Остальные ({ $count }) пришлите отдельно.
}

source-refreshed = Обновлено: новых фрагментов { $added }, исчезло { $removed }. { $first }
source-refreshing = Обновляю; пока отвечаю по прежнему тексту
source-about = { $about }
source-caption = Подпись: { $caption }
source-caption-of = Подпись { $number }: { $caption }
title-album = { $count ->
    [one] Альбом, { $count } фото
   *[other] Альбом, { $count } фото
}

extractor-words = Взято как есть
extractor-ocr = Распознано по картинке
extractor-vision = Прочитано по картинке языковой моделью
extractor-speech = Записано со слов
extractor-subtitles = Взято из субтитров
extractor-browser = Прочитано в браузере
extractor-reader = Прочитано через службу чтения страниц
extractor-office = Прочитано через LibreOffice

kind-csv = Таблица CSV
kind-pptx = Презентация
kind-xlsx = Таблица Excel
kind-odt = Документ OpenDocument
kind-odp = Презентация OpenDocument
kind-ods = Таблица OpenDocument
kind-doc = Word 97–2003
kind-ppt = Презентация PowerPoint 97–2003
kind-xls = Таблица Excel 97–2003
kind-rtf = RTF
kind-epub = Книга EPUB
kind-fb2 = Книга FB2
kind-djvu = DjVu
kind-image = Фото
kind-web = Страница
kind-youtube = Видео
kind-playlist = Плейлист
kind-archive = Архив

button-undo = Отменить
button-move = В другой блокнот
button-add-links = Добавить ссылки ({ $count })
button-retry = Повторить
button-refresh = Обновить
button-open-link = Открыть
