// The event stream of the person: keeps the store in step, reconnects, and reads anew what it missed.
import * as api from "./api.js";
import { endDraft, putDraft, removeDraft } from "./drafts.js";
import { dropMessages, emit, putMessages, setMessages, speaker, store, takeState } from "./state.js";
import { hear } from "./sound.js";

const RETRY_MS = [300, 1000, 2000, 5000]; // waits between attempts to reconnect
const ACTION_MS = 5500; // Telegram shows "typing" for about five seconds
const LIST_MS = 120; // several events in a row read the chat list once

const PAGE = 200; // messages read at once

let socket = null;
let attempts = 0;
let listTimer = null;

async function refreshList() {
  const person = store.me;
  const rows = await api.getChats(person).catch(() => null);
  if (!rows || person !== store.me) return;
  store.chats = rows;
  emit("chats");
}

function refreshListSoon() {
  clearTimeout(listTimer);
  listTimer = setTimeout(refreshList, LIST_MS);
}

async function refreshState() {
  const state = await api.getState().catch(() => null);
  if (state) takeState(state);
}

/** Read a chat's messages anew, as many as were shown; this also marks them as read. */
export async function loadMessages(chatId) {
  const person = store.me;
  const limit = store.limits.get(chatId) ?? PAGE;
  const list = await api.getMessages(person, chatId, limit);
  store.limits.set(chatId, limit);
  if (person === store.me) setMessages(chatId, list);
}

/** Read older messages too, unless all are there already. */
export async function loadOlder(chatId) {
  const limit = store.limits.get(chatId) ?? PAGE;
  if ((store.messages.get(chatId)?.size ?? 0) < limit) return;
  store.limits.set(chatId, limit + PAGE);
  await loadMessages(chatId).catch(() => store.limits.set(chatId, limit));
}

function setAction(chatId, action) {
  clearTimeout(store.actions.get(chatId)?.timer);
  store.actions.delete(chatId);
  if (action) store.actions.set(chatId, { action, timer: setTimeout(() => setAction(chatId, null), ACTION_MS) });
  emit("actions");
}

function takeMessage(event) {
  const { message, chat_id: chatId } = event;
  if (!store.messages.get(chatId)?.has(message.message_id)) {
    const sounded = hear(message, event.silent, () => emit("sound"));
    store.silent.set(`${chatId}:${message.message_id}`, !sounded);
  }
  putMessages(chatId, [message]);
  if (speaker(message) === "bot") {
    removeDraft(chatId);
    setAction(chatId, null);
  }
  if (chatId === store.chatId && !document.hidden) markRead(chatId);
  refreshListSoon();
}

let readTimer = null;

function markRead(chatId) {
  clearTimeout(readTimer);
  readTimer = setTimeout(() => api.getMessages(store.me, chatId, 1).catch(() => {}), LIST_MS);
}

const HANDLERS = {
  message: takeMessage,
  edited_message: ({ chat_id: chatId, message }) => {
    putMessages(chatId, [message]);
    refreshListSoon();
  },
  deleted: ({ chat_id: chatId, message_ids: ids, message_id: id }) => {
    dropMessages(chatId, ids ?? [id]);
    refreshListSoon();
  },
  draft: ({ chat_id: chatId, type: _, ...draft }) => putDraft(chatId, draft),
  draft_end: ({ chat_id: chatId }) => endDraft(chatId),
  chat_action: ({ chat_id: chatId, action }) => setAction(chatId, action),
  chat: async (event) => {
    await Promise.all([refreshList(), refreshState()]);
    emit("chat", event);
  },
  commands: refreshListSoon,
  reaction: ({ chat_id: chatId, message_id: id, reaction }) => {
    const message = store.messages.get(chatId)?.get(id);
    if (message) putMessages(chatId, [{ ...message, reaction }]);
  },
};

async function resync() {
  await Promise.all([refreshState(), refreshList()]);
  if (store.chatId && store.messages.has(store.chatId)) await loadMessages(store.chatId).catch(() => {});
}

function online(value) {
  store.online = value;
  document.getElementById("app").dataset.online = String(value);
  emit("online");
}

function retry(opened) {
  if (opened !== socket) return;
  online(false);
  const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)];
  attempts += 1;
  setTimeout(() => opened === socket && connect(), wait);
}

/** Follow the present person's events; a connection for another person is given up. */
export function connect() {
  socket?.close();
  const opened = new WebSocket(api.eventsUrl(store.me));
  socket = opened;
  opened.addEventListener("open", async () => {
    attempts = 0;
    await resync();
    if (opened === socket) online(true);
  });
  opened.addEventListener("message", (frame) => {
    const event = JSON.parse(frame.data);
    if (opened === socket) HANDLERS[event.type]?.(event);
  });
  opened.addEventListener("close", () => retry(opened));
}

window.addEventListener("online", () => store.me && !store.online && connect());
