// The page: builds its parts, becomes the person of the address and opens their chat.
import * as api from "./api.js";
import { bindActions } from "./actions.js";
import { chatsView } from "./chats.js";
import { composerView, sendText } from "./composer.js";
import { bindMenu } from "./context_menu.js";
import { complain, toast } from "./dialog.js";
import { h } from "./dom.js";
import { connect, loadMessages, loadOlder } from "./events.js";
import { headerView } from "./header.js";
import { language, t } from "./i18n.js";
import { drawMessages, messagesView } from "./messages.js";
import { correct, go, route } from "./route.js";
import { clearSelection, selectionBar } from "./selection.js";
import { emit, isPrivate, on, openChat, rowOf, store, takeState } from "./state.js";

const RETRY_MS = 2000; // the server may still be starting

const app = document.getElementById("app");
const isWide = () => matchMedia("(min-width: 701px)").matches;

// In place of Telegram's bottom button: begin with the bot, or let it speak again.
function startBar() {
  const blocked = () => rowOf(store.chatId)?.blocked === true;
  const press = () => (blocked() ? api.blockBot(store.me, false).catch(complain) : sendText("/start"));
  const button = h("button", { type: "button", class: "start-button", testid: "start-button", onclick: press });
  const bar = h("div", { class: "start-bar", hidden: true }, button);
  const draw = () => {
    const chat = openChat();
    const isNew = (store.messages.get(chat?.id)?.size ?? 1) === 0;
    bar.hidden = !isPrivate(chat) || !(isNew || blocked());
    button.textContent = t(blocked() ? "unblock_bot" : "start");
  };
  for (const topic of ["messages", "open", "chats"]) on(topic, draw);
  return bar;
}

function build() {
  const body = messagesView();
  const main = h("main", { class: "conversation" });
  main.append(...headerView(), body, startBar(), selectionBar(), composerView(main), h("div", { class: "drop-hint", "aria-hidden": "true" }, t("drop")));
  const nothing = h("div", { class: "no-chat" }, h("span", {}, t("choose_chat")));
  app.replaceChildren(chatsView(), main, nothing, h("div", { class: "toasts", popover: "manual", "aria-live": "polite" }));
  bindMenu(body);
  bindActions();
  on("older", () => loadOlder(store.chatId));
  on("messages", (chatId) => (chatId === undefined || chatId === store.chatId) && drawMessages());
}

// A first visit has nobody to play yet: one person is made so that one can write at once.
async function firstPerson() {
  const people = [...store.users.values()].filter((user) => !user.is_bot);
  if (people.length) return people[0];
  const user = await api.addUser({ first_name: t("person_default"), language_code: language });
  store.users.set(user.id, user);
  emit("people");
  return user;
}

async function become(userId) {
  store.me = userId;
  store.messages.clear();
  store.limits.clear();
  store.votes.clear();
  store.drafts.clear();
  store.chats = await api.getChats(userId);
  connect();
  emit("me");
  emit("chats");
}

async function open(chatId) {
  const from = store.chatId;
  clearSelection();
  if (from !== chatId) store.topic = null;
  store.chatId = chatId;
  app.classList.toggle("chat-open", chatId !== null);
  emit("open", { from, to: chatId });
  drawMessages();
  if (chatId === null) return;
  await loadMessages(chatId);
  const row = rowOf(chatId);
  if (row) row.unread = 0;
  emit("chats");
}

function wantedChat({ user, chat, closed }, userId) {
  if (chat !== null && (user === userId || chat < 0)) return chat;
  return (closed || user !== null) && !isWide() ? null : userId;
}

async function follow() {
  const wanted = route();
  const user = store.users.get(wanted.user) ?? (await firstPerson());
  if (user.id !== store.me) await become(user.id);
  let chatId = wanted.closed && wanted.user === user.id ? null : wantedChat(wanted, user.id);
  if (chatId !== null && !rowOf(chatId)) store.chats = await api.getChats(user.id); // perhaps just created
  if (chatId !== null && !rowOf(chatId)) {
    toast(t("chat_gone"));
    chatId = isWide() ? user.id : null;
  }
  correct(user.id, chatId);
  await open(chatId);
}

async function navigate() {
  try {
    await follow();
    app.dataset.ready = "true";
  } catch (error) {
    complain(error);
  }
}

// The open chat may have gone: it grew into a supergroup, or one was taken out of it.
function leaveGone({ migrated_to: grown }) {
  if (store.chatId === null || rowOf(store.chatId)) return;
  go(store.me, rowOf(grown) ? grown : null);
}

async function begin() {
  try {
    takeState(await api.getState());
  } catch (error) {
    complain(error);
    setTimeout(begin, RETRY_MS);
    return;
  }
  window.addEventListener("hashchange", navigate);
  on("chat", leaveGone);
  await navigate();
}

document.documentElement.lang = language;
build();
begin();
