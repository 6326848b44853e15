// The streaming answer: a bubble that grows in place until the final message takes its place.
import * as api from "./api.js";
import { complain } from "./dialog.js";
import { h, iconButton } from "./dom.js";
import { renderText } from "./entities.js";
import { t } from "./i18n.js";
import { renderRich } from "./rich.js";
import { emit, store } from "./state.js";

const LIFE_MS = 30_000; // Telegram's life of a draft that is not refreshed
const GRACE_MS = 700; // an ended draft stays this long for its final message to replace it

const timers = new Map(); // chat id -> timeout that removes the draft

function removeLater(chatId, ms) {
  clearTimeout(timers.get(chatId));
  timers.set(chatId, setTimeout(() => removeDraft(chatId), ms));
}

/** Forget a chat's draft at once: its final message has come. */
export function removeDraft(chatId) {
  clearTimeout(timers.get(chatId));
  if (store.drafts.delete(chatId)) emit("messages", chatId);
}

/** Show a draft's present text. */
export function putDraft(chatId, draft) {
  store.drafts.set(chatId, draft);
  removeLater(chatId, LIFE_MS);
  emit("messages", chatId);
}

/** The server says that the draft is over; the final message usually follows at once. */
export function endDraft(chatId) {
  if (store.drafts.has(chatId)) removeLater(chatId, GRACE_MS);
}

function content(draft, chatId) {
  if (draft.rich_message) return renderRich(draft.rich_message, { chat: { id: chatId }, message_id: 0 });
  return renderText(draft.text ?? "", draft.entities);
}

async function stop(chatId, event) {
  event.currentTarget.disabled = true;
  try {
    await api.stopDraft(store.me, chatId, store.drafts.get(chatId)?.draft_id);
  } catch (error) {
    complain(error);
  }
}

/** The live bubble; an existing one is filled anew so that its animation and focus go on. */
export function draftRow(draft, old) {
  const chatId = store.chatId;
  // The invisible time keeps the place of the final message's one: nothing jumps when it comes.
  const nodes = [...content(draft, chatId), h("span", { class: "caret" }), h("span", { class: "meta ghost", "aria-hidden": "true" }, "00:00")];
  const text = old?.querySelector(".message-text") ?? h("div", { class: "message-text", testid: "message-text", dir: "auto" });
  text.replaceChildren(...nodes);
  if (old) return old;
  const button = iconButton("stop", t("stop"), (event) => stop(chatId, event), { class: "stop", testid: "draft-stop", hidden: draft.can_stop === false });
  return h("article", { class: "row first last draft", testid: "draft", "aria-busy": "true" }, h("div", { class: "stack" }, h("div", { class: "bubble" }, text), button));
}
