// Names, times, sizes and colours as a reader sees them.
import { language, t } from "./i18n.js";

const DAY_MS = 86_400_000;
const LOCALE = language === "ru" ? "ru-RU" : "en-GB";

/** The full name of a user, or the title of a chat. */
export function nameOf(peer) {
  if (!peer) return "";
  return peer.title ?? [peer.first_name, peer.last_name].filter(Boolean).join(" ");
}

/** Up to two initials of a name, by code points so that emoji stay whole. */
export function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  return words.slice(0, 2).map((word) => [...word][0].toUpperCase()).join("") || "?";
}

/** One of seven stable hues for a peer's id. */
export function hue(id) {
  return Math.abs(Number(id) || 0) % 7;
}

/** Hours and minutes of a Unix time in seconds. */
export function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" });
}

/** A key that is equal for messages of one local day. */
export function dayKey(seconds) {
  return new Date(seconds * 1000).toDateString();
}

/** "Today", "Yesterday", or a date with the year only when it differs. */
export function dayName(seconds) {
  const date = new Date(seconds * 1000);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return t("today");
  if (date.toDateString() === new Date(now - DAY_MS).toDateString()) return t("yesterday");
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString(LOCALE, { day: "numeric", month: "long", year });
}

/** A time today, a short date otherwise: for the chat list. */
export function shortTime(seconds) {
  if (dayKey(seconds) === new Date().toDateString()) return clock(seconds);
  return new Date(seconds * 1000).toLocaleDateString(LOCALE, { day: "2-digit", month: "2-digit" });
}

/** A size in bytes with a unit of the interface language. */
export function fileSize(bytes) {
  const units = t("bytes").split(",");
  let value = bytes ?? 0;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return t("size", { n: value.toLocaleString(LOCALE, { maximumFractionDigits: digits }), unit: units[unit] });
}

/** An amount in a currency's smallest units (Stars have none smaller). */
export function money(amount, currency) {
  if (currency === "XTR") return `${amount} ⭐`;
  return (amount / 100).toLocaleString(LOCALE, { style: "currency", currency });
}

/** Minutes and seconds of a duration in seconds. */
export function duration(seconds) {
  const whole = Math.round(seconds ?? 0);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
