// Where one writes: text, replies, edits, files, the bot's keyboards and the author one speaks as.
import * as api from "./api.js";
import { attachDialog, filePicker, onDrop } from "./attachments.js";
import { commandsButton, commandSuggestions } from "./commands.js";
import { below, complain, popupMenu } from "./dialog.js";
import { h, icon, iconButton } from "./dom.js";
import { forwardFromDialog } from "./forward.js";
import { nameOf } from "./format.js";
import { t } from "./i18n.js";
import { currentMarkup } from "./keyboard.js";
import { keyboardPanel } from "./keyboard_panel.js";
import { toBottom } from "./messages.js";
import { isPrivate, messagesOf, on, openChat, speaker, store } from "./state.js";
import { author, summary } from "./summary.js";

const MAX_HEIGHT = 220; // px before the text scrolls
const VOICES = { self: ["person", "as_self"], anonymous_admin: ["mask", "as_anonymous"], channel: ["channel", "as_channel"] };

const unsent = new Map(); // chat id -> text left in the composer
let context = null; // {reply, quote, position} or {edit}
let voice = "self";
let area;
let contextBar;
let panel;
let suggestions;

function grow() {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT)}px`;
  document.querySelector(".composer").classList.toggle("filled", area.value.trim() !== "");
}

function setText(text) {
  area.value = text;
  area.dispatchEvent(new Event("input"));
}

/** Put words at the cursor, as an inline-query button does. */
export function insertText(text) {
  setText(area.value + text);
  area.focus();
}

function drawContext() {
  contextBar.hidden = !context;
  if (!context) return contextBar.replaceChildren();
  const message = context.edit ?? context.reply;
  const title = context.edit ? t("editing") : t("reply_to", { name: nameOf(author(message)) });
  contextBar.replaceChildren(icon(context.edit ? "edit" : context.quote ? "quote" : "reply"), h("span", { class: "context-text" }, h("b", {}, title), h("span", {}, context.quote ?? summary(message))), iconButton("close", t("cancel"), cancelContext, { testid: "cancel-context" }));
}

function setContext(value) {
  if (context?.edit && !value?.edit) setText("");
  context = value;
  drawContext();
  if (value) area.focus();
}

function cancelContext() {
  setContext(null);
  area.focus();
}

/** Answer a message, with the chosen fragment of it if there is one. */
export const replyTo = (message, quote, position) => setContext({ reply: message, quote, position });

/** Change a message of one's own. */
export function editMessage(message) {
  setContext({ edit: message });
  setText(message.text ?? message.caption ?? "");
}

function fields() {
  const reply = context?.reply;
  return {
    reply_to_message_id: reply?.message_id, quote: context?.quote, quote_position: context?.quote ? context.position : undefined,
    message_thread_id: store.topic && store.topic !== 1 ? store.topic : undefined,
    as: voice === "self" || isPrivate(openChat()) ? undefined : voice,
  };
}

/** Send a text as the person, with the present reply. */
export async function sendText(text) {
  try {
    toBottom();
    await api.sendMessage(store.me, store.chatId, { text, ...fields() });
    if (context?.reply) setContext(null);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

async function saveEdit(text) {
  const { edit } = context;
  try {
    await api.editMessage(store.me, edit.chat.id, edit.message_id, text);
    setContext(null);
  } catch (error) {
    complain(error);
  }
}

async function submit() {
  const text = area.value.trim();
  if (!text || !store.chatId) return;
  if (context?.edit) return void saveEdit(text);
  setText("");
  area.focus();
  if (!(await sendText(text)) && !area.value) setText(text);
}

function takeFiles(files, wish) {
  if (!store.chatId || !files.length) return;
  const done = () => {
    setText("");
    setContext(null);
    toBottom();
  };
  attachDialog({ files, wish, me: store.me, chatId: store.chatId, base: fields(), caption: context?.edit ? "" : area.value.trim(), done });
}

function attachMenu(event, pick) {
  const entry = (name, label, run, testid) => ({ icon: icon(name), label: t(label), run, testid });
  popupMenu([
    entry("image", "attach_photo", () => pick("image/*,video/*", "photo"), "attach-photo"),
    entry("file", "attach_file", () => pick("", "document"), "attach-file"),
    entry("mic", "attach_voice", () => pick("audio/*,.ogg,.oga,.opus", "voice"), "attach-voice"),
    entry("forward", "attach_forward", () => forwardFromDialog(store.chatId, fields().message_thread_id), "attach-forward"),
  ], { ...below(event.currentTarget), testid: "attach-menu" });
}

function voiceMenu(event) {
  const fitting = Object.entries(VOICES).filter(([name]) => name !== "anonymous_admin" || openChat().type === "supergroup");
  const items = fitting.map(([name, [picture, label]]) => ({
    icon: icon(picture), label: t(label), checked: name === voice, testid: `voice-${name}`, run: () => setVoice(name),
  }));
  popupMenu(items, below(event.currentTarget));
}

let voiceButton;

function setVoice(name) {
  voice = name;
  voiceButton.replaceChildren(icon(VOICES[name][0]));
  voiceButton.title = `${t("write_as")}: ${t(VOICES[name][1])}`;
  voiceButton.hidden = !openChat() || isPrivate(openChat());
}

function editLast() {
  const last = messagesOf(store.chatId).findLast((message) => speaker(message) === "me" && (message.text ?? message.caption) !== undefined && !message.forward_origin);
  if (last) editMessage(last);
}

function onKey(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit();
  } else if (event.key === "Escape" && context) {
    event.stopPropagation();
    cancelContext();
  } else if (event.key === "ArrowUp" && !area.value && !event.shiftKey) {
    event.preventDefault();
    editLast();
  }
}

function onPaste(event) {
  const files = [...event.clipboardData.files];
  if (!files.length) return;
  event.preventDefault();
  takeFiles(files, "photo");
}

function onOpen({ from, to }) {
  if (from) unsent.set(from, context?.edit ? "" : area.value);
  context = null;
  drawContext();
  setText(unsent.get(to) ?? "");
  setVoice("self");
  if (to && matchMedia("(hover: hover)").matches) area.focus({ preventScroll: true });
}

function drawPanel() {
  panel.draw(store.chatId ? currentMarkup(store.chatId) : null);
  const placeholder = panel.placeholder() ?? t("message");
  area.placeholder = placeholder;
}

/** The composer with everything around it. */
export function composerView(dropArea) {
  area = h("textarea", { class: "composer-input", testid: "composer", rows: 1, "aria-label": t("message"), placeholder: t("message"), dir: "auto", onkeydown: onKey, onpaste: onPaste, oninput: grow });
  contextBar = h("div", { class: "context-bar", testid: "context-bar", hidden: true });
  const { input, pick } = filePicker(takeFiles);
  panel = keyboardPanel({ type: sendText, reply: replyTo });
  suggestions = commandSuggestions(area, (text) => {
    setText("");
    sendText(text);
  });
  voiceButton = iconButton("person", t("write_as"), voiceMenu, { testid: "voice-button", hidden: true });
  const line = h("div", { class: "composer-line" }, commandsButton(sendText), voiceButton,
    iconButton("attach", t("attach"), (event) => attachMenu(event, pick), { testid: "attach" }), area, panel.toggle,
    iconButton("send", t("send"), submit, { class: "icon-button send", testid: "send" }));
  const view = h("footer", { class: "composer" }, suggestions.box, contextBar, line, panel.node, input);
  onDrop(dropArea, (files) => takeFiles(files, "photo"));
  on("open", onOpen);
  on("messages", (chatId) => chatId === store.chatId && drawPanel());
  return view;
}
