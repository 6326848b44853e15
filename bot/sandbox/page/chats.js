// The list of chats at the left: last messages, unread counts, and the way to a new group.
import { avatar, peerOf } from "./avatar.js";
import { h, iconButton } from "./dom.js";
import { nameOf, shortTime } from "./format.js";
import { newGroupDialog } from "./groups.js";
import { t } from "./i18n.js";
import { personSwitcher } from "./people.js";
import { go } from "./route.js";
import { soundBell } from "./sound.js";
import { isPrivate, on, speaker, store } from "./state.js";
import { author, serviceText, summary } from "./summary.js";

function preview(row) {
  if (store.actions.has(row.chat.id)) return h("span", { class: "typing" }, t("typing"));
  const message = row.last_message;
  if (!message) return h("span", {}, t("nothing_here"));
  const who = isPrivate(row.chat) ? "" : nameOf(author(message));
  const name = speaker(message) === "me" ? t("you") : who;
  return h("span", {}, name && !serviceText(message) ? h("b", {}, `${name}: `) : null, summary(message));
}

function item(row) {
  const { chat } = row;
  const open = chat.id === store.chatId;
  const unread = open && !document.hidden ? 0 : row.unread;
  const name = nameOf(peerOf(chat));
  return h("button", { type: "button", class: open ? "chat-item open" : "chat-item", testid: "chat-item", data: { chatId: chat.id, unread }, "aria-current": open ? "true" : null, onclick: () => go(store.me, chat.id) },
    avatar(peerOf(chat)),
    h("span", { class: "chat-lines" },
      h("span", { class: "chat-line" }, h("span", { class: "chat-name" }, name, isPrivate(chat) ? h("span", { class: "tag" }, t("bot")) : null), row.last_message ? h("time", {}, shortTime(row.last_message.date)) : null),
      h("span", { class: "chat-line" }, h("span", { class: "chat-preview" }, preview(row)), unread ? h("span", { class: "badge", "aria-label": t("unread", { n: unread }) }, unread) : null)));
}

function matches(row, query) {
  return nameOf(peerOf(row.chat)).toLowerCase().includes(query.toLowerCase());
}

/** The whole left column. */
export function chatsView() {
  const list = h("nav", { class: "chat-list", "aria-label": t("chats"), testid: "chat-list" });
  const search = h("input", { type: "search", class: "search", placeholder: t("search"), "aria-label": t("search"), oninput: () => draw() });
  const draw = () => {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.chatId : null;
    list.replaceChildren(...store.chats.filter((row) => matches(row, search.value)).map(item));
    if (focused) list.querySelector(`[data-chat-id="${focused}"]`)?.focus();
  };
  for (const topic of ["chats", "open", "actions", "people"]) on(topic, draw);
  document.addEventListener("visibilitychange", draw);
  return h("aside", { class: "sidebar" },
    h("header", { class: "sidebar-head" }, personSwitcher(), soundBell(), iconButton("plus", t("new_group"), newGroupDialog, { testid: "new-group" })),
    h("div", { class: "search-line" }, search), list);
}
