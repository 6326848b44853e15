// How a list of messages is divided: days, albums, and runs of one author.
import { dayKey } from "./format.js";
import { store } from "./state.js";
import { author, serviceText } from "./summary.js";

const RUN_S = 600; // messages further apart than ten minutes show their author anew

/** The messages of the chosen topic, or all of them. */
export function inTopic(messages) {
  if (store.topic === null) return messages;
  return messages.filter((message) => (message.is_topic_message ? message.message_thread_id : 1) === store.topic);
}

/** Neighbours of one album together; every other message alone. */
export function albums(messages) {
  const groups = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.media_group_id && last?.[0].media_group_id === message.media_group_id) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

function sameRun(before, after) {
  if (!before || !after || serviceText(before) || serviceText(after)) return false;
  const close = after.date - before.date < RUN_S && dayKey(before.date) === dayKey(after.date);
  return close && author(before)?.id === author(after)?.id && before.from?.id === after.from?.id;
}

/** For each group whether it begins and whether it ends a run. */
export function runs(groups) {
  return groups.map((group, index) => ({
    first: !sameRun(groups[index - 1]?.at(-1), group[0]),
    last: !sameRun(group.at(-1), groups[index + 1]?.[0]),
  }));
}
