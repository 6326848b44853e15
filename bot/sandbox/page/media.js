// What a message carries besides text: files, pictures, albums and players.
import { fileUrl } from "./api.js";
import { lightbox } from "./dialog.js";
import { h, icon } from "./dom.js";
import { duration, fileSize } from "./format.js";
import { t } from "./i18n.js";

const MAX_WIDTH = 420; // px of a single picture
const MAX_HEIGHT = 420;
const PICTURE_PX = 1280; // larger originals are not needed in a bubble

function fit(width, height) {
  if (!width || !height) return { width: 240, height: 240 };
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height, 1);
  return { width: Math.max(80, Math.round(width * scale)), height: Math.max(60, Math.round(height * scale)) };
}

/** The size of a photo to show: the largest not above 1280 px, else the smallest. */
export function pickSize(sizes) {
  const sorted = [...sizes].sort((a, b) => a.width - b.width);
  return sorted.filter((size) => size.width <= PICTURE_PX).at(-1) ?? sorted[0];
}

/** A picture that opens full screen. */
export function photo(sizes, props = {}) {
  const shown = pickSize(sizes);
  const url = fileUrl(shown.file_id);
  const image = h("img", { src: url, alt: t("photo"), loading: "lazy", decoding: "async", ...fit(shown.width, shown.height) });
  return h("button", { type: "button", class: "photo", testid: "photo", "aria-label": t("photo"), onclick: () => lightbox(url), ...props }, image);
}

/** A file as a row: icon with the extension, name, size; a click downloads it. */
export function documentRow(file) {
  const name = file.file_name ?? t("document");
  const extension = name.includes(".") ? name.split(".").at(-1).slice(0, 4) : "";
  return h("a", { class: "document", testid: "document", href: fileUrl(file.file_id), download: name, title: t("download", { name }) },
    h("span", { class: "document-icon", data: { ext: extension.toLowerCase() } }, extension || icon("file")),
    h("span", { class: "document-text" }, h("span", { class: "document-name" }, name), h("span", { class: "document-size" }, fileSize(file.file_size))));
}

function bindPlayer(player, button, range, time) {
  const total = () => (Number.isFinite(player.duration) ? player.duration : Number(range.dataset.total));
  const show = () => {
    range.value = total() ? (player.currentTime / total()) * 100 : 0;
    time.textContent = duration(player.paused && !player.currentTime ? total() : player.currentTime);
    button.classList.toggle("playing", !player.paused);
  };
  for (const name of ["timeupdate", "play", "pause", "loadedmetadata", "ended"]) player.addEventListener(name, show);
  range.addEventListener("input", () => (player.currentTime = (range.value / 100) * total()));
  button.addEventListener("click", () => (player.paused ? player.play().catch(() => {}) : player.pause()));
  show();
}

/** A player for voice messages and music. */
export function audioPlayer(file, testid) {
  const player = h("audio", { src: fileUrl(file.file_id), preload: "none" });
  const button = h("button", { type: "button", class: "play", "aria-label": t(testid) });
  const range = h("input", { type: "range", min: 0, max: 100, step: "any", value: 0, "aria-label": t(testid), data: { total: file.duration ?? 0 } });
  const time = h("span", { class: "player-time" });
  const title = [file.performer, file.title].filter(Boolean).join(" — ") || file.file_name;
  bindPlayer(player, button, range, time);
  return h("div", { class: "player", testid }, button, h("div", { class: "player-body" }, testid === "audio" && title ? h("span", { class: "player-title" }, title) : null, range, time), player);
}

/** A video with the browser's own controls. */
export function videoPlayer(file, props = {}) {
  const size = file.length ? { width: Math.min(file.length, 240), height: Math.min(file.length, 240) } : fit(file.width, file.height);
  return h("video", { class: file.length ? "video round" : "video", testid: "video", src: fileUrl(file.file_id), controls: true, preload: "metadata", playsinline: true, ...size, ...props });
}

function sticker(file) {
  return h("img", { class: "sticker", src: fileUrl(file.file_id), alt: file.emoji ?? t("sticker"), width: 160, height: 160 });
}

function place(point) {
  return h("div", { class: "place" }, icon("link"), `${t("location")}: ${point.latitude.toFixed(5)}, ${point.longitude.toFixed(5)}`);
}

function person(contact) {
  return h("div", { class: "place" }, icon("person"), [contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(" "));
}

const KINDS = [
  ["animation", (file) => videoPlayer(file, { loop: true, muted: true, autoplay: true, controls: null })],
  ["document", documentRow],
  ["photo", (sizes) => photo(sizes)],
  ["video", (file) => videoPlayer(file)],
  ["video_note", (file) => videoPlayer(file)],
  ["voice", (file) => audioPlayer(file, "voice")],
  ["audio", (file) => audioPlayer(file, "audio")],
  ["sticker", sticker],
  ["location", place],
  ["contact", person],
];

/** The media of one message, or null. */
export function media(message) {
  const found = KINDS.find(([name]) => message[name]);
  return found ? found[1](message[found[0]]) : null;
}

/** Whether a message is a picture or a video that may fill the bubble's whole width. */
export const isVisual = (message) => Boolean(message.photo || message.video || (message.animation && !message.text));

/** Several messages of one album: pictures as a mosaic, files as a list. */
export function album(messages) {
  const visual = messages.every(isVisual);
  const items = messages.map((message) => h("div", { class: "album-item", data: { itemId: message.message_id } }, media(message)));
  return h("div", { class: visual ? "album mosaic" : "album files", data: { count: Math.min(messages.length, 10) } }, items);
}
