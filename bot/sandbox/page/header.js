// The line above a conversation: who it is with, what happens there, and a forum's topics.
import * as api from "./api.js";
import { avatar, peerOf } from "./avatar.js";
import { below, complain, popupMenu } from "./dialog.js";
import { h, icon, iconButton } from "./dom.js";
import { nameOf } from "./format.js";
import { groupInfoDialog, membersOf, newTopicDialog } from "./groups.js";
import { t } from "./i18n.js";
import { go } from "./route.js";
import { emit, isPrivate, messagesOf, on, openChat, rowOf, store } from "./state.js";

function subtitle(chat) {
  if (store.online === false) return h("span", { class: "typing" }, t("reconnecting"));
  if (store.actions.has(chat.id)) return h("span", { class: "typing", testid: "typing" }, t("typing"));
  if (isPrivate(chat)) return h("span", {}, t("bot"));
  const count = membersOf(chat).length;
  return h("span", {}, count ? t("members_n", { n: count }) : t(chat.type === "group" ? "kind_group" : "kind_supergroup"));
}

async function setBlocked(blocked) {
  try {
    await api.blockBot(store.me, blocked);
  } catch (error) {
    complain(error);
  }
}

function botMenu(event) {
  const blocked = Boolean(rowOf(store.chatId)?.blocked);
  const item = { icon: icon("block"), label: t(blocked ? "unblock_bot" : "block_bot"), run: () => setBlocked(!blocked), testid: "block-bot" };
  popupMenu([item], below(event.currentTarget));
}

/** The topics of a forum as `[thread id, name]`, General first. */
export function topicsOf(chat) {
  const made = messagesOf(chat.id).filter((message) => message.forum_topic_created);
  const told = (rowOf(chat.id)?.topics ?? []).map((topic) => [topic.message_thread_id, topic.name]);
  const topics = new Map([...told, ...made.map((message) => [message.message_thread_id ?? message.message_id, message.forum_topic_created.name])]);
  return [[1, t("general")], ...topics];
}

function chooseTopic(topic) {
  store.topic = topic;
  emit("messages", store.chatId);
  emit("topic");
}

function topicBar(chat) {
  const chip = (id, name) => h("button", { type: "button", class: "chip", testid: "topic", data: { topicId: id ?? "all" }, "aria-pressed": String(store.topic === id), onclick: () => chooseTopic(id) }, name);
  return h("nav", { class: "topic-bar", "aria-label": t("topics") }, chip(null, t("all_topics")), topicsOf(chat).map(([id, name]) => chip(id, name)), iconButton("plus", t("new_topic"), () => newTopicDialog(chat), { testid: "add-topic" }));
}

/** The header of the open chat, kept up to date. */
export function headerView() {
  const head = h("header", { class: "chat-head", testid: "chat-head" });
  const topics = h("div");
  const draw = () => {
    const chat = openChat();
    head.replaceChildren();
    topics.replaceChildren();
    if (!chat) return;
    const peer = peerOf(chat);
    const more = isPrivate(chat) ? botMenu : () => groupInfoDialog(openChat());
    head.append(iconButton("back", t("back"), () => go(store.me, null), { class: "icon-button back", testid: "back" }), avatar(peer, "small"),
      h("div", { class: "chat-title" }, h("h1", {}, nameOf(peer)), subtitle(chat)), iconButton(isPrivate(chat) ? "more" : "people", t(isPrivate(chat) ? "chat_menu" : "group_info"), more, { testid: "chat-info" }));
    if (chat.is_forum) topics.append(topicBar(chat));
  };
  for (const topic of ["open", "chats", "actions", "online", "people", "topic"]) on(topic, draw);
  on("messages", (chatId) => chatId === store.chatId && openChat()?.is_forum && draw());
  return [head, topics];
}
