// What one can do with a message: reply, quote, forward, edit, copy, choose.
import * as api from "./api.js";
import { editMessage, replyTo } from "./composer.js";
import { complain, popupMenu } from "./dialog.js";
import { h, icon } from "./dom.js";
import { request } from "./entities.js";
import { forwardDialog } from "./forward.js";
import { t } from "./i18n.js";
import { quoteDialog, selectedQuote, textOf } from "./quote.js";
import { selection, toggle } from "./selection.js";
import { messageOf, putMessages, speaker, store } from "./state.js";

const PRESS_MS = 450; // a long press on a touch screen

/** The messages of a row; an album has several. */
export function groupOf(row) {
  const ids = (row.dataset.ids ?? "").split(",").filter(Boolean).map(Number);
  return ids.map((id) => messageOf(store.chatId, id)).filter(Boolean);
}

async function remove(group) {
  for (const message of group) await api.deleteMessage(store.me, message.chat.id, message.message_id).catch(complain);
}

const REACTIONS = ["👍", "👎", "❤", "🔥", "🤔"];

async function react(message, emoji) {
  const reaction = message.own_reaction?.[0]?.emoji === emoji ? [] : [{ type: "emoji", emoji }];
  try {
    await api.react(store.me, message.chat.id, message.message_id, reaction);
    putMessages(message.chat.id, [{ ...message, own_reaction: reaction }]);
  } catch (error) {
    complain(error);
  }
}

function reactionRow(message) {
  const choose = (emoji) => (event) => {
    event.target.closest("dialog").close();
    react(message, emoji);
  };
  return h("div", { class: "reaction-row" }, REACTIONS.map((emoji) => h("button", { type: "button", "aria-label": emoji, testid: "react", onclick: choose(emoji) }, emoji)));
}

function items(row, group) {
  const message = group.find(textOf) ?? group[0];
  const ids = group.map((item) => item.message_id);
  const quote = selectedQuote(row, message);
  const copied = quote?.quote ?? textOf(message);
  const own = speaker(message) === "me" && textOf(message) && !message.forward_origin;
  const entry = (name, run, condition = true) => condition && { icon: icon(name), label: t(name), run, testid: `menu-${name}` };
  return [
    reactionRow(group[0]),
    entry("reply", () => replyTo(group[0])),
    entry("quote", () => (quote ? replyTo(message, quote.quote, quote.position) : quoteDialog(message)), textOf(message)),
    entry("edit", () => editMessage(message), own),
    entry("copy", () => request(row, "copy", copied), copied),
    entry("forward", () => forwardDialog(store.chatId, ids)),
    entry("select", () => toggle(ids)),
    entry("delete", () => remove(group), speaker(message) === "me"),
  ];
}

/** Open the menu of a message's row at a point. */
export function openMenu(row, x, y) {
  const group = groupOf(row);
  if (group.length && !document.querySelector("dialog[open]")) popupMenu(items(row, group), { x, y, testid: "message-menu" });
}

function longPress(list) {
  let timer = null;
  list.addEventListener("touchstart", (event) => {
    const row = event.target.closest("article[data-ids]");
    const { clientX, clientY } = event.touches[0];
    clearTimeout(timer);
    if (row) timer = setTimeout(() => openMenu(row, clientX, clientY), PRESS_MS);
  }, { passive: true });
  for (const name of ["touchend", "touchmove", "touchcancel"]) list.addEventListener(name, () => clearTimeout(timer), { passive: true });
}

function rowKeys(event) {
  const row = event.target;
  if (!row.matches?.("article[data-ids]") || !["Enter", " ", "ContextMenu"].includes(event.key)) return;
  event.preventDefault();
  const box = row.querySelector(".bubble").getBoundingClientRect();
  if (selection.size) toggle(groupOf(row).map((message) => message.message_id));
  else openMenu(row, box.left + 20, box.top + 20);
}

/** Listen on the conversation for right clicks, long presses, double clicks and keys. */
export function bindMenu(list) {
  list.addEventListener("contextmenu", (event) => {
    const row = event.target.closest("article[data-ids]");
    if (!row || event.target.closest("a[href^='http'], video, img")) return;
    event.preventDefault();
    openMenu(row, event.clientX, event.clientY);
  });
  list.addEventListener("click", (event) => {
    const row = event.target.closest("article[data-ids]");
    if (!row || !selection.size) return;
    event.preventDefault();
    event.stopPropagation();
    toggle(groupOf(row).map((message) => message.message_id));
  }, true);
  list.addEventListener("dblclick", (event) => {
    const row = event.target.closest("article[data-ids]");
    if (row && !event.target.closest(".bubble")) replyTo(groupOf(row)[0]);
  });
  list.addEventListener("app-menu", ({ detail }) => {
    const box = detail.node.getBoundingClientRect();
    openMenu(detail.node.closest("article"), box.left, box.bottom);
  });
  list.addEventListener("keydown", rowKeys);
  longPress(list);
}
