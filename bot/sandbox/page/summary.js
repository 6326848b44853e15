// One line about a message: for the chat list, reply quotes and service lines.
import { money, nameOf } from "./format.js";
import { t } from "./i18n.js";

const KINDS = ["photo", "video", "animation", "voice", "audio", "video_note", "sticker", "poll", "invoice", "location", "contact"];

const names = (users) => users.map(nameOf).join(", ");

const SERVICE = {
  new_chat_members: (value) => t("joined", { name: names(value) }),
  left_chat_member: (value) => t("left", { name: nameOf(value) }),
  group_chat_created: (_, message) => t("group_created", { name: nameOf(message.chat) }),
  supergroup_chat_created: (_, message) => t("group_created", { name: nameOf(message.chat) }),
  new_chat_title: (value) => t("title_changed", { name: value }),
  migrate_to_chat_id: () => t("migrated"),
  migrate_from_chat_id: () => t("migrated"),
  forum_topic_created: (value) => t("topic_created", { name: value.name }),
  pinned_message: () => t("pinned"),
  successful_payment: (value) => t("paid", { sum: money(value.total_amount, value.currency) }),
  refunded_payment: (value) => t("refunded", { sum: money(value.total_amount, value.currency) }),
};

/** The sentence of a service message, or null for an ordinary one. */
export function serviceText(message) {
  const key = Object.keys(SERVICE).find((name) => message[name] !== undefined);
  return key ? SERVICE[key](message[key], message) : null;
}

function mediaName(message) {
  if (message.document && !message.animation) return message.document.file_name ?? t("document");
  const kind = KINDS.find((name) => message[name] !== undefined);
  if (kind === "poll") return `${t("poll")}: ${message.poll.question}`;
  if (kind === "invoice") return `${t("invoice")}: ${message.invoice.title}`;
  return kind ? t(kind) : null;
}

/** Plain text of a rich message's tree, in reading order. */
export function richText(part) {
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.map(richText).filter(Boolean).join(" ");
  if (!part || typeof part !== "object") return "";
  return ["text", "summary", "label", "expression", "alternative_text", "items", "cells", "blocks"].map((key) => richText(part[key])).filter(Boolean).join(" ");
}

/** A short description of any message, without line breaks. */
export function summary(message) {
  const service = serviceText(message);
  if (service) return service;
  const words = [mediaName(message), message.text ?? message.caption].filter(Boolean);
  const line = words.join(", ") || (message.rich_message ? richText(message.rich_message.blocks) : "") || t("service");
  return line.slice(0, 300).replace(/\s+/g, " ");
}

/** Who is shown as the author: a chat speaks for anonymous admins and channels. */
export const author = (message) => message.sender_chat ?? message.from ?? message.chat;

/** The name that a forward shows as its origin. */
export function originName(origin) {
  const name = origin.sender_user_name ?? nameOf(origin.sender_user ?? origin.sender_chat ?? origin.chat);
  return origin.author_signature ? `${name} (${origin.author_signature})` : name;
}
