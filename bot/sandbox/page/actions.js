// What elements inside messages ask of the page: send a command, follow a link, copy, jump.
import * as api from "./api.js";
import { insertText, sendText } from "./composer.js";
import { complain, toast } from "./dialog.js";
import { newGroupDialog } from "./groups.js";
import { t } from "./i18n.js";
import { jumpTo } from "./messages.js";
import { payDialog } from "./polls.js";
import { go } from "./route.js";
import { store } from "./state.js";

/** The `start` payload of a deep link to our bot, null for any other link. */
export function deepLink(url, username) {
  const web = /^https?:\/\/(?:t\.me|telegram\.me)\/(\w+)\/?\?(start|startgroup)=([\w-]*)$/i.exec(url);
  const app = /^tg:\/\/resolve\?domain=(\w+)&(start|startgroup)=([\w-]*)$/i.exec(url);
  const [, name, kind, payload] = web ?? app ?? [];
  return name?.toLowerCase() === username?.toLowerCase() && name ? { kind, payload } : null;
}

async function start(payload) {
  go(store.me, store.me);
  await api.sendMessage(store.me, store.me, { text: `/start ${payload}`.trim() }).catch(complain);
}

function follow(event) {
  const found = deepLink(event.detail, store.bot.username);
  if (!found) return;
  event.preventDefault(); // the page opens our bot itself
  if (found.kind === "startgroup") newGroupDialog();
  else start(found.payload);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    toast(t("copy_failed"));
  }
}

/** Listen for the requests that bubble up from messages. */
export function bindActions() {
  const on = (name, run) => document.addEventListener(`app-${name}`, run);
  on("command", ({ detail }) => sendText(detail));
  on("link", follow);
  on("copy", ({ detail }) => copy(detail));
  on("jump", ({ detail }) => jumpTo(detail) || toast(t("message_gone")));
  on("insert", ({ detail }) => insertText(detail));
  on("pay", ({ detail }) => payDialog(detail));
}
