// One message, or one album, as it stands in the conversation.
import { avatar } from "./avatar.js";
import { h, icon, iconButton } from "./dom.js";
import { renderText, request } from "./entities.js";
import { clock, hue, nameOf } from "./format.js";
import { t } from "./i18n.js";
import { inlineKeyboard } from "./keyboard.js";
import { album, isVisual, media } from "./media.js";
import { invoice, poll } from "./polls.js";
import { renderRich } from "./rich.js";
import { isPrivate, speaker } from "./state.js";
import { author, originName, serviceText, summary } from "./summary.js";

function forwardHeader(message) {
  const origin = message.forward_origin;
  return origin && !message.is_automatic_forward ? h("div", { class: "forwarded", testid: "forwarded" }, t("forwarded", { name: "" }), h("b", {}, originName(origin))) : null;
}

function replyLine(message) {
  const target = message.reply_to_message;
  const outside = message.external_reply;
  if (!target && !outside) return null;
  if (target?.forum_topic_created) return null; // how Telegram marks the first line of a topic
  const name = target ? nameOf(author(target)) : originName(outside.origin);
  const line = message.quote?.text ?? summary(target ?? outside);
  const jump = (event) => target && request(event.currentTarget, "jump", target.message_id);
  return h("button", { type: "button", class: "reply-line", testid: "reply-line", data: { hue: hue((target ? author(target) : outside.chat)?.id) }, onclick: jump },
    h("b", {}, name, message.quote ? icon("quote") : null), h("span", { class: message.quote ? "quoted" : "" }, line));
}

function meta(message, sounded) {
  return h("span", { class: "meta" },
    sounded ? h("span", { class: "sounded", title: t("sounds", { n: 1 }) }, icon("bell")) : null,
    message.edit_date ? h("span", { class: "edited", testid: "edited" }, t("edited")) : null,
    message.author_signature && !message.forward_origin ? h("span", {}, message.author_signature) : null,
    h("time", { datetime: new Date(message.date * 1000).toISOString() }, clock(message.date)));
}

function reactions(group) {
  const marks = group.flatMap((message) => [...(message.reaction ?? []), ...(message.own_reaction ?? [])]).map((item) => item.emoji ?? "★");
  return marks.length ? h("div", { class: "reactions", testid: "reactions" }, marks.map((mark) => h("span", {}, mark))) : null;
}

function textOf(group) {
  const message = group.find((item) => item.text ?? item.caption) ?? group[0];
  if (message.rich_message) return renderRich(message.rich_message, message);
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  return renderText(message.text ?? message.caption ?? "", entities);
}

function attachment(group) {
  const [message] = group;
  if (group.length > 1) return album(group);
  if (message.poll) return poll(message.poll, message);
  return message.invoice ? invoice(message.invoice) : media(message);
}

function senderLine(message, view) {
  if (!view.first || isPrivate(message.chat) || speaker(message) === "me") return null;
  const peer = author(message);
  return h("div", { class: "sender", testid: "sender", data: { hue: hue(peer.id) } }, nameOf(peer), message.via_bot ? ` via @${message.via_bot.username}` : null);
}

function bubbleClass(group, text) {
  const [message] = group;
  const visual = group.every(isVisual);
  return ["bubble", visual && "visual", visual && !text.length && "media-only", !text.length && "no-text", message.sticker && "bare", message.rich_message && "rich"].filter(Boolean).join(" ");
}

function content(group, view) {
  const [message] = group;
  const text = textOf(group);
  const more = iconButton("more", t("more"), (event) => request(event.currentTarget, "menu", { group, node: event.currentTarget }), { class: "message-more", testid: "message-more" });
  return h("div", { class: bubbleClass(group, text) },
    senderLine(message, view), forwardHeader(message), replyLine(message), attachment(group),
    h("div", { class: "message-text", testid: "message-text", dir: "auto" }, text, meta(group.findLast((item) => item.edit_date) ?? message, view.sounded)),
    reactions(group), more);
}

function serviceRow(message, text) {
  return h("div", { class: "service", testid: "message", data: { messageId: message.message_id, from: "service" } }, h("span", { testid: "message-text" }, text));
}

/** The row of a message or album; `view` says `{first, last, sounded, silent, selected}` of its run. */
export function messageRow(group, view) {
  const [message] = group;
  const service = serviceText(message);
  if (service) return serviceRow(message, service);
  const from = speaker(message);
  const face = !isPrivate(message.chat) && from !== "me";
  return h("article", {
    class: ["row", from === "me" && "mine", view.first && "first", view.last && "last", view.selected && "selected"].filter(Boolean).join(" "),
    testid: "message", tabindex: 0, "aria-label": `${nameOf(author(message))}: ${summary(message)}`.slice(0, 200),
    data: { messageId: message.message_id, from, ids: group.map((item) => item.message_id).join(","), silent: view.silent ?? "" },
  }, face ? h("div", { class: "face" }, view.last ? avatar(author(message), "small") : null) : null,
  h("div", { class: "stack" }, content(group, view), inlineKeyboard(group.at(-1))));
}
