// Buttons of the bot: inline keyboards under messages and the reply keyboard above the composer.
import * as api from "./api.js";
import { alertBox, complain, toast } from "./dialog.js";
import { h, icon } from "./dom.js";
import { request } from "./entities.js";
import { money } from "./format.js";
import { t } from "./i18n.js";
import { messagesOf, speaker, store } from "./state.js";

const waiting = new Set(); // "chat:message:data" of pressed buttons without an answer

const keyOf = (message, data) => `${message.chat.id}:${message.message_id}:${data}`;

function showWaiting(key) {
  for (const node of document.querySelectorAll(".inline-button")) {
    if (node.dataset.key !== key) continue;
    node.classList.toggle("waiting", waiting.has(key));
    node.setAttribute("aria-busy", String(waiting.has(key)));
  }
}

function showAnswer(answer, origin) {
  if (answer.url && request(origin, "link", answer.url)) window.open(answer.url, "_blank", "noopener");
  if (!answer.text) return;
  if (answer.show_alert) alertBox(answer.text);
  else toast(answer.text);
}

async function press(message, data, origin) {
  const key = keyOf(message, data);
  if (waiting.has(key)) return;
  waiting.add(key);
  showWaiting(key);
  try {
    showAnswer(await api.pressButton(store.me, message.chat.id, message.message_id, data), document.body);
  } catch (error) {
    complain(error);
  } finally {
    waiting.delete(key);
    showWaiting(key);
  }
}

function insertQuery(button, origin) {
  const query = button.switch_inline_query_current_chat ?? button.switch_inline_query ?? "";
  request(origin, "insert", `@${store.bot.username} ${query}`);
}

function pressOther(button, message, origin) {
  if (button.copy_text) request(origin, "copy", button.copy_text.text);
  else if (button.pay) request(origin, "pay", message);
  else if (button.switch_inline_query_current_chat !== undefined) insertQuery(button, origin);
  else toast(t("not_supported"));
}

function mark(button) {
  if (button.url || button.login_url) return icon("link");
  return button.copy_text ? icon("copy") : null;
}

/** One inline button; `message` is where it stands. */
export function inlineButton(button, message, label = button.text) {
  const url = button.url ?? button.login_url?.url;
  const key = button.callback_data === undefined ? "" : keyOf(message, button.callback_data);
  const props = { class: `inline-button style-${button.style ?? "default"}`, testid: "inline-button", data: { key, data: button.callback_data ?? "" } };
  const inside = [h("span", { class: "button-label" }, label), mark(button), h("span", { class: "spinner" })];
  if (url && !button.disabled) {
    const follow = (event) => !request(event.currentTarget, "link", url) && event.preventDefault();
    return h("a", { ...props, href: url, target: "_blank", rel: "noopener noreferrer", title: url, onclick: follow }, inside);
  }
  const run = (event) => (button.callback_data === undefined ? pressOther(button, message, event.currentTarget) : press(message, button.callback_data, event.currentTarget));
  const node = h("button", { ...props, type: "button", disabled: Boolean(button.disabled), onclick: run }, inside);
  if (waiting.has(key)) node.classList.add("waiting");
  return node;
}

// An invoice without a keyboard gets its pay button from the client.
const payButton = (invoice) => ({ text: t("pay", { sum: money(invoice.total_amount, invoice.currency) }), pay: true });

/** The inline keyboard of a message, or null. */
export function inlineKeyboard(message) {
  const given = message.reply_markup?.inline_keyboard ?? [];
  const rows = message.invoice && !given.flat().some((button) => button.pay) ? [[payButton(message.invoice)], ...given] : given;
  if (!rows.length) return null;
  return h("div", { class: "inline-keyboard", testid: "inline-keyboard" }, rows.map((row) => h("div", { class: "button-row" }, row.map((button) => inlineButton(button, message)))));
}

function concernsMe(message) {
  if (!message.reply_markup.selective) return true;
  const mentioned = (message.entities ?? []).some((entity) => entity.user?.id === store.me);
  return mentioned || message.reply_to_message?.from?.id === store.me;
}

/** The bot's last word about the reply keyboard: `{message, markup, answered}`, or null. */
export function currentMarkup(chatId) {
  const speaks = (message) => {
    const markup = message.reply_markup;
    return markup && !markup.inline_keyboard && speaker(message) === "bot" && concernsMe(message);
  };
  const messages = messagesOf(chatId);
  const message = messages.findLast(speaks);
  if (!message || message.reply_markup.remove_keyboard) return null;
  const answered = messages.some((later) => later.message_id > message.message_id && speaker(later) === "me");
  if (message.reply_markup.force_reply && answered) return null; // a forced reply asks once
  return { message, markup: message.reply_markup, answered };
}

/** The reply keyboard as buttons that type their text for the person. */
export function replyKeyboard(markup, type) {
  const button = (item) => {
    const text = typeof item === "string" ? item : item.text;
    return h("button", { type: "button", class: `reply-button style-${item.style ?? "default"}`, testid: "reply-button", onclick: () => type(text) }, text);
  };
  return h("div", { class: "reply-keyboard", testid: "reply-keyboard" }, markup.keyboard.map((row) => h("div", { class: "button-row" }, row.map(button))));
}
