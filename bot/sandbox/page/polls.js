// Polls one can vote in, and invoices one can pay.
import * as api from "./api.js";
import { complain, formDialog, toast } from "./dialog.js";
import { h, icon } from "./dom.js";
import { renderText } from "./entities.js";
import { money } from "./format.js";
import { t } from "./i18n.js";
import { putMessages, store } from "./state.js";

const keyOf = (message) => `${message.chat.id}:${message.message_id}`;

/** The options this person chose in a poll, as far as this page knows. */
export const votesOf = (message) => store.votes.get(keyOf(message));

async function vote(message, ids) {
  try {
    const poll = await api.vote(store.me, message.chat.id, message.message_id, ids);
    store.votes.set(keyOf(message), ids);
    putMessages(message.chat.id, [{ ...message, poll }]);
    if (poll.explanation && ids.length) toast(poll.explanation);
  } catch (error) {
    complain(error);
  }
}

function verdict(data, index, mine) {
  const right = data.correct_option_ids ?? [];
  if (data.type !== "quiz" || !right.length) return mine.includes(index) ? "mine" : "";
  if (right.includes(index)) return "right";
  return mine.includes(index) ? "wrong" : "";
}

function result(data, item, index, mine) {
  const share = data.total_voter_count ? Math.round((item.voter_count / data.total_voter_count) * 100) : 0;
  const mark = verdict(data, index, mine);
  return h("div", { class: `poll-option ${mark}`, testid: "poll-option", data: { verdict: mark } },
    h("span", { class: "poll-share" }, `${share}%`), h("span", {}, renderText(item.text, item.text_entities)),
    mark ? icon(mark === "wrong" ? "close" : "check") : null, h("span", { class: "poll-bar", style: `--share:${share}%` }));
}

function ballot(data, message) {
  if (!data.allows_multiple_answers) {
    return data.options.map((item, index) => h("button", { type: "button", class: "poll-choice", testid: "poll-option", onclick: () => vote(message, [index]) }, h("span", { class: "poll-dot" }), h("span", {}, renderText(item.text, item.text_entities))));
  }
  const boxes = data.options.map(() => h("input", { type: "checkbox" }));
  const send = () => vote(message, boxes.flatMap((box, index) => (box.checked ? [index] : [])));
  return [data.options.map((item, index) => h("label", { class: "poll-choice", testid: "poll-option" }, boxes[index], h("span", {}, renderText(item.text, item.text_entities)))),
    h("button", { type: "button", class: "text-button", testid: "poll-send", onclick: send }, t("vote"))];
}

function kindOf(data) {
  if (data.is_closed) return t("final");
  if (data.type === "quiz") return t("quiz");
  return t(data.is_anonymous ? "anonymous_poll" : "public_poll");
}

/** A poll: its choices until this person voted, its results after. */
export function poll(data, message) {
  const mine = votesOf(message) ?? [];
  const done = data.is_closed || mine.length > 0;
  const body = done ? data.options.map((item, index) => result(data, item, index, mine)) : ballot(data, message);
  const retract = mine.length && !data.is_closed && data.type !== "quiz" ? h("button", { type: "button", class: "text-button", onclick: () => vote(message, []) }, t("retract")) : null;
  return h("div", { class: "poll", testid: "poll" },
    h("div", { class: "poll-question" }, renderText(data.question, data.question_entities)), h("div", { class: "poll-kind" }, kindOf(data)),
    body, h("div", { class: "poll-kind" }, t("votes_n", { n: data.total_voter_count })), retract);
}

/** What an invoice asks for; its pay button stands in the inline keyboard. */
export function invoice(data) {
  return h("div", { class: "invoice", testid: "invoice" },
    h("b", {}, data.title), h("div", {}, data.description), h("div", { class: "invoice-sum" }, money(data.total_amount, data.currency)));
}

/** The window in which a person pays an invoice; the bot's refusal is shown in its words. */
export function payDialog(message) {
  const sum = money(message.invoice.total_amount, message.invoice.currency);
  const submit = async () => {
    const answer = await api.pay(store.me, message.chat.id, message.message_id);
    toast(answer.ok ? t("paid", { sum }) : answer.error_message || t("no_answer"));
  };
  formDialog({ title: t("invoice"), body: invoice(message.invoice), confirm: t("pay", { sum }), submit, testid: "pay-dialog" });
}
