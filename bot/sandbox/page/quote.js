// Quoting a fragment: from the selection on the page, or chosen in a window (touch screens, keyboards).
import { replyTo } from "./composer.js";
import { formDialog, toast } from "./dialog.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const NEAR = 8; // UTF-16 units by which block margins may shift a selection's start

/** What a message says, be it a text or a caption. */
export const textOf = (message) => message.text ?? message.caption ?? "";

/** The fragment of a message that is selected, with its place in UTF-16 units; null without one. */
export function selectedQuote(row, message) {
  const chosen = getSelection();
  const place = row.querySelector(".message-text");
  if (chosen.isCollapsed || !place?.contains(chosen.anchorNode) || !place.contains(chosen.focusNode)) return null;
  const quote = chosen.toString().trim();
  const range = chosen.getRangeAt(0);
  const before = document.createRange();
  before.setStart(place, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const text = textOf(message);
  const near = text.indexOf(quote, Math.max(0, before.toString().length - NEAR));
  const position = near < 0 ? text.indexOf(quote) : near;
  return quote && position >= 0 ? { quote, position } : null;
}

/** A window with the message's text, in which the fragment to quote is selected. */
export function quoteDialog(message) {
  const text = textOf(message);
  const area = h("textarea", { rows: 9, readonly: true, autofocus: true, testid: "quote-text", value: text });
  const submit = () => {
    const raw = text.slice(area.selectionStart, area.selectionEnd);
    const quote = raw.trim();
    if (!quote) toast(t("quote_hint"));
    else replyTo(message, quote, area.selectionStart + raw.indexOf(quote));
  };
  formDialog({ title: t("quote"), body: [h("p", { class: "hint" }, t("quote_hint")), area], confirm: t("reply"), submit, testid: "quote-dialog" });
}
