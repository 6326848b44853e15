// Windows above the page: modal dialogs, alerts, toasts, menus and the picture viewer.
import { ApiError } from "./api.js";
import { h, iconButton } from "./dom.js";
import { t } from "./i18n.js";

const TOAST_MS = 4000; // long enough for 200 characters of a callback's answer

/** Open a modal `<dialog>`; closing it removes it, and the browser returns the focus. */
export function modal(content, props = {}) {
  const dialog = h("dialog", { class: "modal", ...props }, content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("mousedown", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A dialog with a title, a body and one confirming button; `submit` closes it unless it throws. */
export function formDialog({ title, body, confirm, submit, ...props }) {
  const send = async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await submit();
      dialog.close();
    } catch (error) {
      complain(error);
      button.disabled = false;
    }
  };
  const button = h("button", { type: "submit", class: "primary-button", testid: props.testid.replace("dialog", "send") }, confirm);
  const cancel = h("button", { type: "button", class: "text-button", onclick: () => dialog.close() }, t("cancel"));
  const form = h("form", { onsubmit: send }, h("h2", {}, title), h("div", { class: "modal-body" }, body), h("div", { class: "modal-buttons" }, cancel, button));
  const dialog = modal(form, { "aria-label": title, ...props });
  return dialog;
}

/** A labelled field of a form. */
export function field(label, control) {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

/** A `<select>` of `[value, label]` pairs. */
export function choice(pairs, props = {}) {
  return h("select", props, pairs.map(([value, label]) => h("option", { value }, label)));
}

/** The answer of a button as a window that must be closed. */
export function alertBox(text) {
  const close = h("button", { type: "button", class: "text-button", autofocus: true, onclick: () => dialog.close() }, t("ok"));
  const dialog = modal([h("p", { class: "alert-text" }, text), h("div", { class: "modal-buttons" }, close)], { testid: "alert", role: "alertdialog", class: "modal alert" });
}

/** A short notice that goes by itself. */
export function toast(text) {
  const area = document.querySelector(".toasts");
  const node = h("div", { class: "toast", testid: "toast", role: "status" }, text);
  area.append(node);
  // A modal dialog lies in the browser's top layer; so must the toast that speaks about it.
  if (area.showPopover) {
    if (area.matches(":popover-open")) area.hidePopover();
    area.showPopover();
  }
  setTimeout(() => node.remove(), TOAST_MS);
}

/** Say that a call failed, in the server's words when it gave some. */
export function complain(error) {
  toast(t("failed", { why: error instanceof ApiError ? error.message : t("offline") }));
}

/** A picture on the whole screen. */
export function lightbox(url) {
  const image = h("img", { src: url, alt: t("photo"), onclick: () => dialog.close() });
  const dialog = modal([image, iconButton("close", t("close"), () => dialog.close(), { autofocus: true })], { class: "modal lightbox", "aria-label": t("photo") });
}

function placeAt(menu, x, y) {
  const box = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - box.width - 8))}px`;
  menu.style.top = `${Math.max(8, y + box.height + 8 > innerHeight ? Math.max(8, y - box.height) : y)}px`;
}

function moveFocus(menu, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll("button")];
  const next = items.indexOf(document.activeElement) + step;
  items[(next + items.length) % items.length]?.focus();
}

/** A menu at a point; `items` are `{icon, label, run, testid, checked}` or nodes. */
export function popupMenu(items, { x, y, testid }) {
  const close = () => dialog.close();
  const button = (item) => h("button", { type: "button", role: "menuitem", testid: item.testid, data: item.data, "aria-checked": item.checked ? "true" : null, onclick: () => {
    close();
    item.run();
  } }, item.icon, h("span", {}, item.label), item.checked ? h("span", { class: "menu-check" }, "✓") : null);
  const nodes = items.filter(Boolean).map((item) => (item instanceof Node ? item : button(item)));
  const menu = h("div", { class: "menu", role: "menu", testid }, nodes);
  menu.addEventListener("keydown", (event) => moveFocus(menu, event));
  const dialog = modal(menu, { class: "modal popup" });
  dialog.addEventListener("mousedown", (event) => event.target === dialog && close());
  placeAt(menu, x, y);
  return dialog;
}

/** The point just below (or above) an element, for its menu. */
export function below(node) {
  const box = node.getBoundingClientRect();
  return { x: box.left, y: box.top > innerHeight / 2 ? box.top - 4 : box.bottom + 4 };
}
