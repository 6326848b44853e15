// The reply keyboard's place under the composer: shown, hidden, used once, or a forced reply.
import { h, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { replyKeyboard } from "./keyboard.js";

/** The panel; `type(text)` sends a button's text, `reply(message)` begins a forced reply. */
export function keyboardPanel({ type, reply }) {
  const node = h("div", { class: "keyboard-panel", hidden: true });
  const toggle = iconButton("keyboard", t("keyboard"), () => show(node.hidden), { testid: "keyboard-toggle", hidden: true });
  let key = null;
  let markup = null;

  function show(open) {
    node.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
  }

  function draw(current) {
    const fresh = current ? `${current.message.chat.id}:${current.message.message_id}` : null;
    if (fresh === key) return;
    key = fresh;
    markup = current?.markup ?? null;
    const send = (text) => {
      if (current.markup.one_time_keyboard) show(false);
      type(text);
    };
    node.replaceChildren(...(markup?.keyboard ? [replyKeyboard(markup, send)] : []));
    toggle.hidden = !markup?.keyboard;
    const used = current?.answered && markup.one_time_keyboard;
    show(Boolean(markup?.keyboard) && !used);
    if (markup?.force_reply) reply(current.message);
  }

  return { node, toggle, draw, placeholder: () => markup?.input_field_placeholder };
}
