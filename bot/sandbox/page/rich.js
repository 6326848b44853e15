// Rich messages: headings, lists, tables, quotations and formulas as blocks.
import { h } from "./dom.js";
import { expandable, link, renderText, request } from "./entities.js";
import { inlineButton } from "./keyboard.js";
import { audioPlayer, documentRow, photo, videoPlayer } from "./media.js";

const TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", subscript: "sub", superscript: "sup", marked: "mark" };
const anchorId = (message, name) => `a${message.chat.id}_${message.message_id}_${name}`;

function jumpTo(name, inside, message) {
  const go = (event) => {
    event.preventDefault();
    document.getElementById(anchorId(message, name))?.scrollIntoView({ block: "center", behavior: "smooth" });
  };
  return h("a", { href: "#", onclick: go }, inside);
}

function command(part, inside) {
  const run = (event) => {
    event.preventDefault();
    request(event.currentTarget, "command", part.bot_command);
  };
  return h("a", { href: "#", class: "command", onclick: run }, inside);
}

// The same look as in plain messages, by way of one entity over the whole piece.
function asEntity(type, inside) {
  const [node] = renderText(" ", [{ type, offset: 0, length: 1 }]);
  (node.querySelector("code, span") ?? node).replaceChildren(...[inside].flat(Infinity));
  return node;
}

const INLINE = {
  url: (part, inside) => link(part.url, inside),
  email_address: (part, inside) => link(`mailto:${part.email_address}`, inside),
  phone_number: (part, inside) => link(`tel:${part.phone_number}`, inside),
  code: (_, inside) => h("code", { class: "inline" }, inside),
  spoiler: (_, inside) => asEntity("spoiler", inside),
  mathematical_expression: (part) => h("code", { class: "math" }, part.expression),
  custom_emoji: (part) => part.alternative_text,
  bot_command: command,
  button: (part, _, message) => inlineButton(part.button, message, inline(part.button.text, message)),
  anchor: (part, _, message) => h("span", { id: anchorId(message, part.name) }),
  anchor_link: (part, inside, message) => jumpTo(part.anchor_name, inside, message),
  reference: (part, inside, message) => h("span", { id: anchorId(message, part.name) }, inside),
  reference_link: (part, inside, message) => jumpTo(part.reference_name, inside, message),
};

function inline(part, message) {
  if (part === undefined || part === null) return "";
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.map((item) => inline(item, message));
  const inside = inline(part.text, message);
  if (TAGS[part.type]) return h(TAGS[part.type], {}, inside);
  return INLINE[part.type] ? INLINE[part.type](part, inside, message) : h("span", { class: "mention" }, inside);
}

function withCaption(node, block, message) {
  if (!block.caption) return node;
  return h("figure", {}, node, h("figcaption", {}, inline(block.caption.text, message), credit(block.caption, message)));
}

const credit = (block, message) => (block.credit ? h("cite", {}, inline(block.credit, message)) : null);

function cell(item, message) {
  return h(item.is_header ? "th" : "td", { colspan: item.colspan, rowspan: item.rowspan, style: `text-align:${item.align === "right" || item.align === "center" ? item.align : "left"}` }, inline(item.text, message));
}

function table(block, message) {
  const rows = block.cells.map((row) => h("tr", {}, row.map((item) => cell(item, message))));
  const classes = [block.is_bordered && "bordered", block.is_striped && "striped"].filter(Boolean).join(" ");
  const caption = block.caption ? h("caption", {}, inline(block.caption, message)) : null;
  return h("div", { class: "table-scroll", tabindex: 0 }, h("table", { class: classes, testid: "rich-table" }, caption, h("tbody", {}, rows)));
}

function list(block, message) {
  const item = (entry) => h("li", { class: entry.has_checkbox ? "check" : "", data: { label: entry.has_checkbox ? (entry.is_checked ? "☑" : "☐") : entry.label } }, blocks(entry.blocks, message));
  return h("ul", { class: "rich-list" }, block.items.map(item));
}

function buttons(block, message) {
  return h("div", { class: "inline-keyboard" }, h("div", { class: "button-row" }, block.buttons.map((button) => inlineButton(button, message, inline(button.text, message)))));
}

function details(block, message) {
  return h("details", { open: Boolean(block.is_open) }, h("summary", {}, inline(block.summary, message)), blocks(block.blocks, message));
}

const BLOCKS = {
  paragraph: (block, message) => h("p", {}, inline(block.text, message)),
  heading: (block, message) => h(`h${Math.min(6, Math.max(1, block.size) + 1)}`, {}, inline(block.text, message)),
  pre: (block, message) => h("div", { class: "pre" }, h("div", { class: "pre-head" }, block.language ?? ""), h("pre", {}, h("code", {}, inline(block.text, message)))),
  footer: (block, message) => h("p", { class: "footer" }, inline(block.text, message)),
  thinking: (block, message) => h("p", { class: "thinking" }, inline(block.text, message)),
  divider: () => h("hr"),
  mathematical_expression: (block) => h("p", { class: "math-block" }, h("code", { class: "math" }, block.expression)),
  anchor: (block, message) => h("span", { id: anchorId(message, block.name) }),
  list,
  table,
  details,
  buttons,
  blockquote: (block, message) => h("blockquote", {}, blocks(block.blocks, message), credit(block, message)),
  expandable_blockquote: (block, message) => expandable([inline(block.text, message), credit(block, message)]),
  pullquote: (block, message) => h("blockquote", { class: "pull" }, inline(block.text, message), credit(block, message)),
  collage: (block, message) => withCaption(h("div", { class: "collage" }, blocks(block.blocks, message)), block, message),
  slideshow: (block, message) => withCaption(h("div", { class: "collage" }, blocks(block.blocks, message)), block, message),
  photo: (block, message) => withCaption(photo(block.photo), block, message),
  video: (block, message) => withCaption(videoPlayer(block.video), block, message),
  animation: (block, message) => withCaption(videoPlayer(block.animation), block, message),
  audio: (block, message) => withCaption(audioPlayer(block.audio, "audio"), block, message),
  voice_note: (block, message) => withCaption(audioPlayer(block.voice_note, "voice"), block, message),
  document: (block, message) => withCaption(documentRow(block.document), block, message),
};

function blocks(list, message) {
  return (list ?? []).map((block) => (BLOCKS[block.type] ? BLOCKS[block.type](block, message) : inline(block.text, message)));
}

/** The blocks of a rich message as DOM nodes. */
export function renderRich(rich, message) {
  return [h("div", { class: "rich-body", dir: rich.is_rtl ? "rtl" : "auto" }, blocks(rich.blocks, message))];
}
