// What the page knows: the person, their chats, messages, drafts; and who wants to hear of changes.

const listeners = new Map();

/** The single store; change it through the functions below, then `emit`. */
export const store = {
  bot: null,
  users: new Map(), // user id -> User
  me: null, // user id of the person played in this tab
  chats: [], // [{chat, last_message, unread, commands, blocked, topics}], newest first
  chatId: null, // the open chat
  messages: new Map(), // chat id -> Map(message id -> Message)
  limits: new Map(), // chat id -> how many messages are read
  drafts: new Map(), // chat id -> {draft_id, text, entities}
  actions: new Map(), // chat id -> {action, timer}
  topic: null, // message_thread_id shown in the open forum, null for all
  votes: new Map(), // "chat:message" of a poll -> option ids this person chose
  silent: new Map(), // "chat:message" -> whether it came without sound
  online: true, // whether the event stream is connected
};

/** Call `listener(detail)` whenever `topic` is emitted; the result ends it. */
export function on(topic, listener) {
  listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
  return () => listeners.set(topic, listeners.get(topic).filter((other) => other !== listener));
}

/** Tell everybody who listens to `topic`. */
export function emit(topic, detail) {
  for (const listener of listeners.get(topic) ?? []) listener(detail);
}

/** Take over the answer of `GET /sandbox/state`. */
export function takeState({ bot, users }) {
  store.bot = bot;
  store.users = new Map(users.map((user) => [user.id, user]));
  emit("people");
}

/** The person played in this tab. */
export const me = () => store.users.get(store.me);

/** The row of a chat in the list, if it is there. */
export const rowOf = (chatId) => store.chats.find((row) => row.chat.id === chatId);

/** The open chat, if any. */
export const openChat = () => rowOf(store.chatId)?.chat;

/** Whether a chat is the private one with the bot. */
export const isPrivate = (chat) => chat?.type === "private";

/** Who speaks in a message: `"bot"`, `"me"` or `"other"`. */
export function speaker(message) {
  if (message.from?.id === store.bot.id) return "bot";
  return message.from?.id === store.me && !message.sender_chat ? "me" : "other";
}

/** Messages of a chat, oldest first. */
export function messagesOf(chatId) {
  return [...(store.messages.get(chatId)?.values() ?? [])].sort((a, b) => a.message_id - b.message_id);
}

/** One message of a chat. */
export const messageOf = (chatId, id) => store.messages.get(chatId)?.get(id);

/** Replace all messages of a chat, as after a reconnect. */
export function setMessages(chatId, list) {
  store.messages.set(chatId, new Map(list.map((message) => [message.message_id, message])));
  emit("messages", chatId);
}

/** Add or replace messages of a chat; a chat never loaded stays unloaded. */
export function putMessages(chatId, list) {
  const known = store.messages.get(chatId);
  if (!known) return;
  for (const message of list) known.set(message.message_id, message);
  emit("messages", chatId);
}

/** Forget deleted messages of a chat. */
export function dropMessages(chatId, ids) {
  for (const id of ids) store.messages.get(chatId)?.delete(id);
  emit("messages", chatId);
}
