// Forwarding: known messages to a chat, or words and files that come "from elsewhere".
import * as api from "./api.js";
import { avatar, peerOf } from "./avatar.js";
import { choice, complain, field, formDialog, modal } from "./dialog.js";
import { h, iconButton } from "./dom.js";
import { nameOf } from "./format.js";
import { t } from "./i18n.js";
import { go } from "./route.js";
import { store } from "./state.js";

const ORIGINS = ["channel", "user", "hidden_user", "chat"];
const LABELS = { channel: "origin_channel", user: "origin_user", hidden_user: "origin_hidden", chat: "origin_chat" };

function target(row, run) {
  const peer = peerOf(row.chat);
  return h("button", { type: "button", class: "pick", testid: "forward-target", data: { chatId: row.chat.id }, onclick: () => run(row.chat) }, avatar(peer, "small"), h("span", {}, nameOf(peer)));
}

/** Choose the chat that messages are forwarded to; `done` runs after success. */
export function forwardDialog(fromChatId, ids, done = () => {}) {
  const run = async (chat) => {
    dialog.close();
    try {
      await api.forward(store.me, chat.id, { from_chat_id: fromChatId, message_ids: ids });
      done();
      go(store.me, chat.id);
    } catch (error) {
      complain(error);
    }
  };
  const head = h("div", { class: "modal-head" }, h("h2", {}, t("forward_to")), iconButton("close", t("close"), () => dialog.close()));
  const dialog = modal([head, h("div", { class: "modal-body picks" }, store.chats.map((row) => target(row, run)))], { testid: "forward-dialog", "aria-label": t("forward_to") });
}

// Ids of made-up authors: the same name is the same author.
function idOf(name) {
  return 5_000_000_000 + [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 900_000_000, 7);
}

/** A `MessageOrigin` of a kind and a name, as Telegram would write it. */
export function makeOrigin(kind, name, username) {
  const date = Math.floor(Date.now() / 1000);
  const id = idOf(name);
  const known = username ? { username } : {};
  if (kind === "hidden_user") return { type: kind, date, sender_user_name: name };
  if (kind === "user") return { type: kind, date, sender_user: { id, is_bot: false, first_name: name, ...known } };
  const chat = { id: -1_000_000_000_000 - id, title: name, type: kind === "channel" ? "channel" : "supergroup", ...known };
  if (kind === "channel") return { type: kind, date, chat, message_id: (date % 100_000) + 1 };
  return { type: kind, date, sender_chat: chat };
}

const fileKind = (files) => (files.every((file) => file.type.startsWith("image/")) ? "photo" : "document");

/** The form for a forward from a channel, a person or another group into a chat. */
export function forwardFromDialog(chatId, topic) {
  const kind = choice(ORIGINS.map((name) => [name, t(LABELS[name])]), { testid: "origin-kind" });
  const name = h("input", { required: true, maxlength: 64, autofocus: true, testid: "origin-name" });
  const username = h("input", { maxlength: 32, pattern: "[A-Za-z0-9_]*", testid: "origin-username" });
  const text = h("textarea", { rows: 5, testid: "origin-text" });
  const files = h("input", { type: "file", multiple: true, testid: "origin-files" });
  const submit = () => {
    const origin = makeOrigin(kind.value, name.value.trim(), username.value.trim());
    const chosen = [...files.files];
    const fields = { origin, message_thread_id: topic ?? undefined };
    if (chosen.length) return api.forward(store.me, chatId, { ...fields, caption: text.value, kind: fileKind(chosen) }, chosen);
    return api.forward(store.me, chatId, { ...fields, text: text.value });
  };
  const body = [field(t("origin"), kind), field(t("origin_name"), name), field(t("origin_username"), username), field(t("text"), text), field(t("files"), files)];
  formDialog({ title: t("forward_from"), body, confirm: t("forward"), submit, testid: "origin-dialog" });
}
