// Polls and invoices inside a message.
import { h } from "./dom.js";
import { renderText } from "./entities.js";
import { money } from "./format.js";
import { t } from "./i18n.js";

function option(item, total) {
  const share = total ? Math.round((item.voter_count / total) * 100) : 0;
  return h("div", { class: "poll-option", testid: "poll-option" },
    h("span", { class: "poll-share" }, `${share}%`), h("span", {}, renderText(item.text, item.text_entities)),
    h("span", { class: "poll-bar", style: `--share:${share}%` }));
}

function pollKind(data) {
  if (data.is_closed) return t("final");
  if (data.type === "quiz") return t("quiz");
  return t(data.is_anonymous ? "anonymous_poll" : "public_poll");
}

/** A poll with its present votes. */
export function poll(data) {
  return h("div", { class: "poll", testid: "poll" },
    h("div", { class: "poll-question" }, renderText(data.question, data.question_entities)), h("div", { class: "poll-kind" }, pollKind(data)),
    data.options.map((item) => option(item, data.total_voter_count)), h("div", { class: "poll-kind" }, t("votes_n", { n: data.total_voter_count })));
}

/** What an invoice asks for; its pay button stands in the inline keyboard. */
export function invoice(data) {
  return h("div", { class: "invoice", testid: "invoice" },
    h("b", {}, data.title), h("div", {}, data.description), h("div", { class: "invoice-sum" }, money(data.total_amount, data.currency)));
}
