/** What people write on cards, and what becomes of it. */
import { oneEdit } from './plan-words.js'

/** The words in what a card's form keeps, whichever form it is. */
const wordsOf = (given) =>
  [given]
    .flat()
    .flatMap(({ steps = [], other, words, reason, instead }) => [
      ...steps.map((one) => one.words),
      other,
      words,
      reason,
      instead,
    ])
    .filter((words) => words?.trim())

/** The words kept of a card's form that aren't in an answer, as it was sent or stored. On a plan they become edits. */
export function unsaid(given = {}, { reason, instead, answer, also = [] } = {}) {
  const said = oneEdit([reason, instead, answer, ...also.map((one) => one.text ?? one)].join('\n'))
  return wordsOf(given).filter((words) => !said.includes(oneEdit(words)))
}

/** Whether an outcome has all that an answer says, so that it may well be this very answer. */
export function hasAll(outcome, { decision, declined = false, always, reason, instead, answer, also }) {
  const { declined: wasDeclined = false, option_ids: ids = [], also: others = [] } = outcome
  if (outcome.decision !== decision || wasDeclined !== declined || !outcome.always !== !always) return false
  const parts = others.flatMap(({ text, option_ids }) => [text, ...option_ids])
  const stored = [outcome.reason, outcome.instead, outcome.answer, ...ids, ...parts]
  const sent = [reason, instead, answer, also].flat(2).filter(Boolean)
  return sent.every((words) => stored.some((one) => one?.includes(words)))
}
