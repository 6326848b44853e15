// Building DOM safely: text always goes in as text nodes, never as HTML.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "multiple", "selected", "indeterminate"]);

function setProperty(node, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (key === "testid") node.dataset.testid = value;
  else if (key === "data") Object.assign(node.dataset, value);
  else if (key.startsWith("on")) node.addEventListener(key.slice(2).toLowerCase(), value);
  else if (PROPERTIES.has(key)) node[key] = value;
  else node.setAttribute(key, value === true ? "" : value);
}

function append(node, child) {
  if (Array.isArray(child)) for (const item of child) append(node, item);
  else if (child !== undefined && child !== null && child !== false) node.append(child);
}

/** An element with properties (`class`, `testid`, `data`, `onclick`, attributes) and children. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) setProperty(node, key, value);
  append(node, children);
  return node;
}

// Our own line icons on a 24 x 24 grid.
const ICONS = {
  back: "M15 5l-7 7 7 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  send: "M4 20l17-8L4 4l2.5 6.6L14 12l-7.5 1.4z",
  attach: "M19 11l-7.8 7.8a4.6 4.6 0 0 1-6.5-6.5l8.5-8.5a3 3 0 0 1 4.3 4.3l-8.4 8.4a1.5 1.5 0 0 1-2.1-2.1l7.3-7.3",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  down: "M6 9l6 6 6-6",
  file: "M7 3h7l5 5v13H7zM14 3v5h5",
  image: "M4 5h16v14H4zM4 16l5-5 5 5M13 15l3-3 4 4M15.5 9.2v.1",
  mic: "M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6 11.5a6 6 0 0 0 12 0M12 17.5V21",
  music: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  video: "M4 6h11v12H4zM15 11l5-3v8l-5-3",
  forward: "M13 6l7 6-7 6v-4c-5 0-7.5 1.5-9 4 .5-5 3-8 9-8.500z",
  reply: "M11 6l-7 6 7 6v-4c5 0 7.500 1.500 9 4-.5-5-3-8-9-8.500z",
  edit: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  select: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12l3 3 5-6",
  quote: "M5 7h5v5c0 3-1.500 4.500-4 5M14 7h5v5c0 3-1.500 4.500-4 5",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15zM10.500 21h3",
  stop: "M7 7h10v10H7z",
  people: "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-4 2.500-6 6-6s6 2 6 6M16 4.500a3.500 3.500 0 0 1 0 6.500M17 14c2.500.500 4 2.500 4 6",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c0-4 3-6.500 7.500-6.500s7.500 2.500 7.500 6.500",
  channel: "M4 10v4h3l8 4V6l-8 4zM18 9.500a4 4 0 0 1 0 5",
  delete: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5.500M13.500 11v5.500",
  keyboard: "M3 7h18v11H3zM7 11v.1M11 11v.1M15 11v.1M8 15h8",
  link: "M10 14l4-4M9 11l-3 3a3 3 0 0 0 4 4l3-3M15 13l3-3a3 3 0 0 0-4-4l-3 3",
  mask: "M4 9c5-3 11-3 16 0-.5 5-2.500 7-4.500 7-1.500 0-2-1.500-3.500-1.500S10 16 8.500 16C6.500 16 4.500 14 4 9zM8.500 10.500v.1M15.500 10.500v.1",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  check: "M5 13l4 4L19 7",
  more: "M12 5v.1M12 12v.1M12 19v.1",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  block: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM6 6l12 12",
};

/** A decorative icon; hidden from screen readers, the button around it carries the label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  return svg;
}

/** A round button that shows only an icon. */
export function iconButton(name, label, onclick, props = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...props }, icon(name));
}
