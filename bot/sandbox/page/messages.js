// The conversation: keeps the list's elements in step with the store, and its scroll where it was.
import { messageRow } from "./bubble.js";
import { h, iconButton } from "./dom.js";
import { draftRow } from "./drafts.js";
import { dayKey, dayName } from "./format.js";
import { t } from "./i18n.js";
import { albums, inTopic, runs } from "./runs.js";
import { selection } from "./selection.js";
import { emit, isPrivate, messagesOf, openChat, store } from "./state.js";

const NEAR_PX = 120; // this close to the end the list follows new messages

let list;
let scroller;
let shown = new Map(); // key -> {signature, node} of the open chat
let shownChat = null;
let follow = true;

const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;

/** Go to the newest message. */
export function toBottom() {
  follow = true;
  scroller.scrollTop = scroller.scrollHeight;
}

function dayRow(seconds) {
  return h("div", { class: "day" }, h("span", {}, dayName(seconds)));
}

function viewOf(group, run) {
  const key = `${group[0].chat.id}:${group[0].message_id}`;
  const silent = store.silent.get(key);
  return { ...run, votes: store.votes.get(key), silent, sounded: silent === false, selected: group.some((message) => selection.has(message.message_id)) };
}

function* wanted(messages) {
  const groups = albums(messages);
  const edges = runs(groups);
  let day = null;
  for (const [index, group] of groups.entries()) {
    const date = group[0].date;
    if (dayKey(date) !== day) yield { key: `day ${(day = dayKey(date))}`, signature: dayName(date), make: () => dayRow(date) };
    const view = viewOf(group, edges[index]);
    yield { key: `message ${group[0].message_id}`, signature: JSON.stringify([group, view]), make: () => messageRow(group, view) };
  }
}

function wantedDraft(chatId) {
  const draft = store.drafts.get(chatId);
  return draft ? [{ key: "draft", signature: JSON.stringify(draft), make: (old) => draftRow(draft, old) }] : [];
}

const CONTROLS = "button, a, input, [tabindex]";

// An edit replaces a bubble; who stood on its second button stands on the second button again.
function keepFocus(old, node) {
  const place = [old, ...old.querySelectorAll(CONTROLS)].indexOf(document.activeElement);
  old.replaceWith(node);
  if (place >= 0) [node, ...node.querySelectorAll(CONTROLS)][place]?.focus({ preventScroll: true });
}

function update(item) {
  const before = shown.get(item.key);
  if (before?.signature === item.signature) return before;
  const node = item.make(before?.node);
  if (before && before.node !== node) keepFocus(before.node, node);
  return { signature: item.signature, node };
}

function place(rows) {
  let next = list.firstChild;
  for (const { node } of rows) {
    if (node === next) next = next.nextSibling;
    else list.insertBefore(node, next);
  }
}

function emptyHint(chat) {
  const text = isPrivate(chat) ? t("start_hint") : t("nothing_here");
  return { key: "empty", signature: text, make: () => h("div", { class: "service empty" }, h("span", {}, text)) };
}

function reset(chatId) {
  list.replaceChildren();
  shown = new Map();
  shownChat = chatId;
  follow = true;
}

/** Draw the open chat: only what changed is touched. */
export function drawMessages() {
  const chat = openChat();
  const shownKey = chat ? `${chat.id}/${store.topic}` : null;
  if (shownKey !== shownChat) reset(shownKey);
  if (!chat || !store.messages.has(chat.id)) return;
  const items = [...wanted(inTopic(messagesOf(chat.id))), ...wantedDraft(chat.id)];
  if (!items.length) items.push(emptyHint(chat));
  const rows = new Map(items.map((item) => [item.key, update(item)]));
  const fromEnd = scroller.scrollHeight - scroller.scrollTop;
  const grewAbove = shown.size > 0 && !shown.has(items[0].key);
  for (const [key, { node }] of shown) if (!rows.has(key)) node.remove();
  place(rows.values());
  shown = rows;
  if (follow) toBottom();
  else if (grewAbove) scroller.scrollTop = scroller.scrollHeight - fromEnd; // older messages came: stay where one reads
}

/** Scroll to a message and light it up; false when it is not in the list. */
export function jumpTo(id) {
  const row = [...list.children].find((node) => (node.dataset.ids ?? node.dataset.messageId ?? "").split(",").includes(String(id)));
  if (!row) return false;
  follow = false;
  row.scrollIntoView({ block: "center", behavior: "smooth" });
  row.classList.remove("flash");
  void row.offsetWidth; // restart the animation
  row.classList.add("flash");
  return true;
}

/** The scrolling area with the list and the "to the bottom" button. */
export function messagesView() {
  list = h("div", { class: "messages", role: "log", "aria-live": "polite", "aria-relevant": "additions" });
  scroller = h("div", { class: "scroller", testid: "messages", tabindex: -1 }, list);
  const down = iconButton("down", t("to_bottom"), toBottom, { class: "icon-button to-bottom", testid: "to-bottom", hidden: true });
  scroller.addEventListener("scroll", () => {
    follow = atEnd();
    down.hidden = follow;
    if (scroller.scrollTop < NEAR_PX && !follow) emit("older");
  });
  const observer = new ResizeObserver(() => follow && toBottom());
  observer.observe(list);
  observer.observe(scroller);
  return h("div", { class: "conversation-body" }, scroller, down);
}
