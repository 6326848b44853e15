// Round pictures of people and chats: initials on a colour of their own.
import { h } from "./dom.js";
import { hue, initials, nameOf } from "./format.js";
import { isPrivate, store } from "./state.js";

/** The avatar of a user or chat. */
export function avatar(peer, size = "") {
  return h("span", { class: `avatar ${size}`, data: { hue: hue(peer?.id) }, "aria-hidden": "true" }, initials(nameOf(peer)));
}

/** Whom a chat shows to a person: the bot in a private chat, the chat itself otherwise. */
export const peerOf = (chat) => (isPrivate(chat) ? store.bot : chat);
