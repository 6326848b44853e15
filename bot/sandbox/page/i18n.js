// The page's words in Russian and English, and the choice between them.

const WORDS = {
  ru: {
    language: "English", search: "Поиск", chats: "Чаты", bot: "бот", typing: "печатает…", back: "Назад", menu: "Меню",
    you_are: "Вы", add_person: "Добавить человека", new_person: "Новый человек", first_name: "Имя", last_name: "Фамилия",
    username: "Имя пользователя", person_language: "Язык Telegram", create: "Создать", cancel: "Отмена", close: "Закрыть", ok: "OK",
    new_group: "Новая группа", group_title: "Название группы", group_members: "Участники", group_kind: "Вид",
    kind_group: "Группа", kind_supergroup: "Супергруппа", kind_forum: "Супергруппа с темами", group_default: "Учебная группа",
    remove: "Удалить", member: "участник", not_member: "не в группе", admin: "админ", owner: "владелец",
    convert: "Превратить в супергруппу", convert_silent: "Превратить молча", new_topic: "Новая тема",
    topic_name: "Название темы", topics: "Темы", all_topics: "Все", general: "General",
    members_n: "Участников: {n}", group_info: "О группе", chat_menu: "Действия с чатом", block_bot: "Заблокировать бота",
    unblock_bot: "Разблокировать бота", nothing_here: "Здесь пока ничего нет", start: "СТАРТ", start_hint: "Нажмите «Старт», чтобы начать разговор",
    choose_chat: "Выберите чат", message: "Сообщение", send: "Отправить", attach: "Прикрепить", attach_photo: "Фото или видео",
    attach_file: "Файл", attach_voice: "Голосовое или аудио", attach_forward: "Переслать от другого…", drop: "Отпустите файлы, чтобы отправить",
    commands: "Команды", no_commands: "У бота нет команд", today: "Сегодня", yesterday: "Вчера", edited: "изменено",
    forwarded: "Переслано от {name}", reply: "Ответить", quote: "Ответить цитатой", forward: "Переслать", edit: "Изменить", delete: "Удалить", quote_hint: "Выделите фрагмент, на который отвечаете", copy: "Копировать", select: "Выбрать",
    copied: "Скопировано", copy_failed: "Не удалось скопировать", selected_n: "Выбрано: {n}", editing: "Редактирование", reply_to: "В ответ {name}",
    forward_to: "Переслать в…", forward_from: "Переслать от другого", origin: "Откуда", origin_channel: "Канал", origin_user: "Человек",
    origin_hidden: "Человек со скрытым профилем", origin_chat: "Группа", origin_name: "Название или имя", origin_username: "Имя пользователя (без @)", text: "Текст", files: "Файлы",
    send_as: "Отправить как", as_document: "Файл", as_photo: "Фото", as_video: "Видео", as_voice: "Голосовое", as_audio: "Аудио", as_video_note: "Кружок",
    caption: "Подпись", files_n: "Отправить файлы: {n}", size: "{n} {unit}", download: "Скачать {name}", stop: "Остановить", bytes: "Б,КБ,МБ,ГБ",
    reconnecting: "Соединение…", failed: "Не получилось: {why}", offline: "сервер не отвечает", no_answer: "Бот не ответил", unread: "Новых: {n}", to_bottom: "Вниз",
    keyboard: "Клавиатура", sounds: "Сообщений со звуком: {n}", more: "Ещё", write_as: "Писать как", as_self: "От себя", as_anonymous: "Анонимный админ", as_channel: "От имени канала",
    joined: "{name} теперь в группе", left: "{name} больше не в группе", group_created: "Группа «{name}» создана", title_changed: "Новое название: {name}",
    migrated: "Группа стала супергруппой", topic_created: "Тема «{name}» создана", pinned: "Закреплено сообщение", paid: "Оплачено: {sum}", refunded: "Возврат: {sum}", service: "Служебное сообщение",
    photo: "Фото", video: "Видео", voice: "Голосовое сообщение", audio: "Аудио", document: "Файл", sticker: "Стикер", poll: "Опрос", quiz: "Викторина", invoice: "Счёт", location: "Место", contact: "Контакт", video_note: "Видеосообщение", rich: "Сообщение", animation: "GIF",
    anonymous_poll: "Анонимный опрос", public_poll: "Опрос", votes_n: "Голосов: {n}", final: "Завершён", not_supported: "В песочнице эта кнопка ничего не делает",
    you: "Вы", draft: "Черновик", message_gone: "Сообщение не найдено", chat_gone: "Чат недоступен", show_more: "Развернуть", person_default: "Анна", pay: "Заплатить {sum}", vote: "Голосовать", retract: "Отозвать голос", reveal: "Показать скрытое",
  },
  en: {
    language: "Русский", search: "Search", chats: "Chats", bot: "bot", typing: "typing…", back: "Back", menu: "Menu",
    you_are: "You", add_person: "Add a person", new_person: "New person", first_name: "First name", last_name: "Last name",
    username: "Username", person_language: "Telegram language", create: "Create", cancel: "Cancel", close: "Close", ok: "OK",
    new_group: "New group", group_title: "Group name", group_members: "Members", group_kind: "Kind",
    kind_group: "Group", kind_supergroup: "Supergroup", kind_forum: "Supergroup with topics", group_default: "Study group",
    remove: "Remove", member: "member", not_member: "not a member", admin: "admin", owner: "owner",
    convert: "Convert to supergroup", convert_silent: "Convert silently", new_topic: "New topic",
    topic_name: "Topic name", topics: "Topics", all_topics: "All", general: "General",
    members_n: "Members: {n}", group_info: "Group info", chat_menu: "Chat actions", block_bot: "Block the bot",
    unblock_bot: "Unblock the bot", nothing_here: "Nothing here yet", start: "START", start_hint: "Press Start to begin the conversation",
    choose_chat: "Choose a chat", message: "Message", send: "Send", attach: "Attach", attach_photo: "Photo or video",
    attach_file: "File", attach_voice: "Voice or audio", attach_forward: "Forward from elsewhere…", drop: "Drop the files to send them",
    commands: "Commands", no_commands: "The bot has no commands", today: "Today", yesterday: "Yesterday", edited: "edited",
    forwarded: "Forwarded from {name}", reply: "Reply", quote: "Reply with quote", forward: "Forward", edit: "Edit", delete: "Delete", quote_hint: "Select the fragment you answer", copy: "Copy", select: "Select",
    copied: "Copied", copy_failed: "Could not copy", selected_n: "Selected: {n}", editing: "Editing", reply_to: "Reply to {name}",
    forward_to: "Forward to…", forward_from: "Forward from elsewhere", origin: "From", origin_channel: "Channel", origin_user: "Person",
    origin_hidden: "Person with a hidden profile", origin_chat: "Group", origin_name: "Title or name", origin_username: "Username (without @)", text: "Text", files: "Files",
    send_as: "Send as", as_document: "File", as_photo: "Photo", as_video: "Video", as_voice: "Voice", as_audio: "Audio", as_video_note: "Round video",
    caption: "Caption", files_n: "Send files: {n}", size: "{n} {unit}", download: "Download {name}", stop: "Stop", bytes: "B,KB,MB,GB",
    reconnecting: "Connecting…", failed: "Did not work: {why}", offline: "the server does not answer", no_answer: "The bot did not answer", unread: "Unread: {n}", to_bottom: "To the bottom",
    keyboard: "Keyboard", sounds: "Messages with sound: {n}", more: "More", write_as: "Write as", as_self: "Yourself", as_anonymous: "Anonymous admin", as_channel: "A channel",
    joined: "{name} joined the group", left: "{name} left the group", group_created: "Group “{name}” created", title_changed: "New name: {name}",
    migrated: "The group became a supergroup", topic_created: "Topic “{name}” created", pinned: "A message was pinned", paid: "Paid: {sum}", refunded: "Refunded: {sum}", service: "Service message",
    photo: "Photo", video: "Video", voice: "Voice message", audio: "Audio", document: "File", sticker: "Sticker", poll: "Poll", quiz: "Quiz", invoice: "Invoice", location: "Location", contact: "Contact", video_note: "Video message", rich: "Message", animation: "GIF",
    anonymous_poll: "Anonymous poll", public_poll: "Poll", votes_n: "Votes: {n}", final: "Final results", not_supported: "This button does nothing in the sandbox",
    you: "You", draft: "Draft", message_gone: "Message not found", chat_gone: "Chat is not available", show_more: "Expand", person_default: "Anna", pay: "Pay {sum}", vote: "Vote", retract: "Retract vote", reveal: "Show hidden text",
  },
};

const KEY = "sandbox-language";

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // private windows may refuse storage
  }
}

/** The chosen interface language: Russian unless a person switched. */
export const language = stored() === "en" ? "en" : "ru";

/** The phrase of a key with `{name}` places filled. */
export function t(key, values = {}) {
  return WORDS[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Switch to the other language; the page loads anew so that nothing keeps old words. */
export function switchLanguage() {
  try {
    localStorage.setItem(KEY, language === "ru" ? "en" : "ru");
  } catch {
    return;
  }
  location.reload();
}
