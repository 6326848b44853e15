// Choosing several messages to forward them together.
import { h, iconButton } from "./dom.js";
import { forwardDialog } from "./forward.js";
import { t } from "./i18n.js";
import { emit, on, store } from "./state.js";

/** Ids of the chosen messages of the open chat. */
export const selection = new Set();

/** Choose messages, or leave them out again. */
export function toggle(ids) {
  const known = ids.every((id) => selection.has(id));
  for (const id of ids) known ? selection.delete(id) : selection.add(id);
  emit("messages", store.chatId);
  emit("selection");
}

/** Choose nothing. */
export function clearSelection() {
  if (!selection.size) return;
  selection.clear();
  emit("messages", store.chatId);
  emit("selection");
}

/** The bar that takes the composer's place while something is chosen. */
export function selectionBar() {
  const count = h("span", { class: "selection-count" });
  const forward = h("button", { type: "button", class: "primary-button", testid: "selection-forward", onclick: () => {
    forwardDialog(store.chatId, [...selection].sort((a, b) => a - b), clearSelection);
  } }, t("forward"));
  const bar = h("div", { class: "selection-bar", testid: "selection-bar", hidden: true }, iconButton("close", t("cancel"), clearSelection), count, forward);
  on("selection", () => {
    bar.hidden = !selection.size;
    count.textContent = t("selected_n", { n: selection.size });
    document.getElementById("app").classList.toggle("selecting", selection.size > 0);
  });
  return bar;
}
