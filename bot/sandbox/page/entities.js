// Text with Telegram entities (UTF-16 offsets) as DOM nodes; nested and overlapping ones too.
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);
const SAFE_LINK = /^(https?|tg|mailto|tel):/i;

/** Ask the application for something from deep inside a message: `command`, `link`. */
export function request(node, name, detail) {
  return node.dispatchEvent(new CustomEvent(`app-${name}`, { bubbles: true, cancelable: true, detail }));
}

/** A link that leaves the page, or plain text when its scheme is not one we open. */
export function link(url, children) {
  const href = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
  if (!SAFE_LINK.test(href)) return h("span", {}, children);
  const follow = (event) => {
    if (!request(event.currentTarget, "link", href)) event.preventDefault();
  };
  return h("a", { href, target: "_blank", rel: "noopener noreferrer", title: href, onclick: follow }, children);
}

function spoiler(children) {
  const reveal = (event) => {
    if (node.classList.contains("revealed")) return;
    event.preventDefault();
    node.classList.add("revealed");
    node.removeAttribute("role");
  };
  const keys = (event) => event.key === "Enter" && reveal(event);
  const node = h("span", { class: "spoiler", role: "button", tabindex: 0, "aria-label": t("reveal"), onclick: reveal, onkeydown: keys }, h("span", {}, children));
  return node;
}

function pre(entity, children) {
  const copy = (event) => request(event.currentTarget, "copy", node.querySelector("code").textContent);
  const button = h("button", { type: "button", class: "pre-copy", "aria-label": t("copy"), title: t("copy"), onclick: copy }, icon("copy"));
  const node = h("div", { class: "pre" }, h("div", { class: "pre-head" }, h("span", {}, entity.language ?? ""), button), h("pre", {}, h("code", {}, children)));
  return node;
}

/** A quotation folded to three lines, with a button when it is longer. */
export function expandable(children) {
  const toggle = () => button.setAttribute("aria-expanded", String(node.classList.toggle("open")));
  const button = h("button", { type: "button", class: "quote-toggle", "aria-label": t("show_more"), "aria-expanded": "false", onclick: toggle }, icon("down"));
  const body = h("div", { class: "quote-body" }, children);
  const node = h("blockquote", { class: "folded" }, body, button);
  requestAnimationFrame(() => (button.hidden = body.scrollHeight <= body.clientHeight + 1));
  return node;
}

function command(text, children) {
  return h("a", { href: "#", class: "command", onclick: (event) => {
    event.preventDefault();
    request(event.currentTarget, "command", text);
  } }, children);
}

const mention = (_, __, children) => h("span", { class: "mention" }, children);

const WRAPPERS = {
  bold: (_, __, children) => h("strong", {}, children),
  italic: (_, __, children) => h("em", {}, children),
  underline: (_, __, children) => h("u", {}, children),
  strikethrough: (_, __, children) => h("s", {}, children),
  code: (_, __, children) => h("code", { class: "inline" }, children),
  spoiler: (_, __, children) => spoiler(children),
  pre: (entity, _, children) => pre(entity, children),
  blockquote: (_, __, children) => h("blockquote", {}, children),
  expandable_blockquote: (_, __, children) => expandable(children),
  url: (_, text, children) => link(text, children),
  text_link: (entity, _, children) => link(entity.url, children),
  email: (_, text, children) => link(`mailto:${text}`, children),
  phone_number: (_, text, children) => link(`tel:${text}`, children),
  bot_command: (_, text, children) => command(text, children),
  mention,
  text_mention: mention,
  hashtag: mention,
  cashtag: mention,
};

function ordered(entities) {
  return entities.sort((a, b) => a.start - b.start || b.end - a.end || BLOCKS.has(b.type) - BLOCKS.has(a.type));
}

// What lies inside `outer` and what is left for after it; an entity that crosses its end is cut in two.
function split(outer, rest) {
  const inside = [];
  const after = [];
  for (const entity of rest) {
    if (entity.start < outer.end) inside.push({ ...entity, end: Math.min(entity.end, outer.end) });
    if (entity.end > outer.end) after.push({ ...entity, start: Math.max(entity.start, outer.end) });
  }
  return [inside, ordered(after)];
}

// A block makes its own line: the line break beside it would be a second one.
function plain(text, beforeBlock) {
  const shown = beforeBlock && text.endsWith("\n") ? text.slice(0, -1) : text;
  return shown ? [shown] : [];
}

function renderRange(text, range, entities) {
  const nodes = [];
  let position = range.start;
  let rest = entities;
  while (rest.length) {
    const [entity, ...others] = rest;
    const isBlock = BLOCKS.has(entity.type);
    nodes.push(...plain(text.slice(position, entity.start), isBlock));
    const [inside, after] = split(entity, others);
    const wrap = WRAPPERS[entity.type] ?? ((_, __, children) => children);
    nodes.push(wrap(entity, text.slice(entity.start, entity.end), renderRange(text, entity, inside)));
    position = entity.end + (isBlock && text[entity.end] === "\n" ? 1 : 0);
    rest = after;
  }
  nodes.push(...plain(text.slice(position, range.end), false));
  return nodes.flat();
}

/** DOM nodes (strings and elements) of a text with its entities. */
export function renderText(text, entities = []) {
  const ranges = entities.map((entity) => ({ ...entity, start: Math.max(0, entity.offset), end: Math.min(text.length, entity.offset + entity.length) }));
  return renderRange(text, { start: 0, end: text.length }, ordered(ranges.filter((range) => range.end > range.start)));
}
