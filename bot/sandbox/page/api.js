// Calls of the sandbox API; the only module that knows its addresses.

const TIMEOUT_MS = 40_000; // a callback may wait 30 s for the bot

/** What the server refused, in its own sentence. */
export class ApiError extends Error {}

async function call(path, options = {}) {
  const response = await fetch(`sandbox/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), ...options });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(body.error ?? String(response.status));
  return body;
}

function send(method, path, body) {
  return call(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

function form(fields, files) {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === "") continue;
    data.append(key, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  for (const file of files) data.append("file", file, file.name);
  return data;
}

const chat = (me, chatId) => `users/${me}/chats/${chatId}`;

export const getState = () => call("state");
export const getChats = (me) => call(`users/${me}/chats`);
export const getMessages = (me, chatId, limit) => call(`${chat(me, chatId)}/messages?limit=${limit}`);

export const addUser = (person) => send("POST", "users", person);
export const addChat = (group) => send("POST", "chats", group);
export const setMember = (chatId, userId, status) => send("POST", `chats/${chatId}/members`, { user_id: userId, status });
export const migrate = (chatId, silent) => send("POST", `chats/${chatId}/migrate`, silent ? { silent } : {});
export const addTopic = (chatId, name) => send("POST", `chats/${chatId}/topics`, { name });

/** Send text, or files when there are any (several files make one album). */
export function sendMessage(me, chatId, fields, files = []) {
  const path = `${chat(me, chatId)}/messages`;
  return files.length ? call(path, { method: "POST", body: form(fields, files) }) : send("POST", path, fields);
}

/** Forward known messages, or text and files with a given origin. */
export function forward(me, chatId, fields, files = []) {
  const path = `${chat(me, chatId)}/forward`;
  return files.length ? call(path, { method: "POST", body: form(fields, files) }) : send("POST", path, fields);
}

export const editMessage = (me, chatId, id, text) => send("PUT", `${chat(me, chatId)}/messages/${id}`, { text });
export const deleteMessage = (me, chatId, id) => call(`${chat(me, chatId)}/messages/${id}`, { method: "DELETE" });
export const pressButton = (me, chatId, id, data) => send("POST", `users/${me}/callbacks`, { chat_id: chatId, message_id: id, data });
export const vote = (me, chatId, id, options) => send("POST", `users/${me}/votes`, { chat_id: chatId, message_id: id, option_ids: options });
export const pay = (me, chatId, id) => send("POST", `users/${me}/payments`, { chat_id: chatId, message_id: id });
export const react = (me, chatId, id, reaction) => send("POST", `users/${me}/reactions`, { chat_id: chatId, message_id: id, reaction });
export const stopDraft = (me, chatId, draftId) => send("POST", `users/${me}/stop_draft`, { chat_id: chatId, draft_id: draftId });
export const blockBot = (me, blocked) => send("POST", `users/${me}/block`, { blocked });

/** The address of a stored file. */
export const fileUrl = (fileId) => `sandbox/files/${encodeURIComponent(fileId)}`;

/** The address of a person's event stream. */
export function eventsUrl(me) {
  const url = new URL(`sandbox/users/${me}/events`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}
