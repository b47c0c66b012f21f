/**
 * What a work plan looks like, and how changes to it are said: in the words that people use in a thread.
 *
 * @typedef {import('../../../domain/events.ts').EventData['work_plan']} WorkPlan
 * @typedef {{ step: number, what: string, words: string, isDropped: boolean }} Draft
 */
import { say } from './words.js'

const states = {
  planning: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  fallback: 'completed',
  failed: 'failed',
  timeout: 'failed',
}

const endings = { fallback: say.endedByFallback(), timeout: say.endedByTimeout() }

function noteOf({ after, agent, attempt, status, words }) {
  const facts = [
    after.length > 0 && say.afterSteps({ steps: after.join(', ') }),
    agent && say.byAgent({ agent }),
    attempt > 1 && say.attempt({ number: attempt }),
    attempt === 0 && status === 'failed' && say.notRun(),
    endings[status],
    ...words.map((one) => `“${one}”`),
  ]
  return facts.filter(Boolean).join(' · ')
}

/** The steps as points of the list beside the thread. @param {WorkPlan} plan */
export const pointsOf = ({ steps }) =>
  steps.map((one) => ({
    content: `${one.step}. ${one.what}`,
    status: states[one.status] ?? 'pending',
    note: noteOf(one),
    call: one.call_id,
  }))

/** The points with what is known of the subagents that work for them. */
export const withChildren = (points, before) => {
  const known = new Map(before.flatMap((one) => (one.call === undefined ? [] : [[one.call, one.child]])))
  return points.map((one) => ({ ...one, child: known.get(one.call) }))
}

/** @param {WorkPlan} plan @returns {Draft[]} */
export const draftOf = ({ steps }) => steps.map(({ step, what }) => ({ step, what, words: '', isDropped: false }))

/** The draft with a step moved by one place, past those that are dropped. @param {Draft[]} draft */
export function moved(draft, place, by) {
  const other = place + by
  if (draft[place] === undefined || draft[other] === undefined) return draft
  return draft.with(place, draft[other]).with(other, draft[place])
}

/** A line is an edit of its own, and so is what a semicolon ends. */
export const oneEdit = (words) => words.trim().replaceAll(/[\n;；]+/g, ',')

/** What is said to change the plan into the draft. @param {Draft[]} draft @returns {string[]} */
export function editsOf(draft, words) {
  const kept = draft.filter(({ isDropped }) => !isDropped)
  const isSorted = kept.every(({ step }, place) => place === 0 || kept[place - 1].step < step)
  const dropped = draft.filter(({ isDropped }) => isDropped).map(({ step }) => step)
  return [
    ...kept.filter((one) => one.words.trim() !== '').map((one) => `${one.step}: ${oneEdit(one.words)}`),
    ...(dropped.length > 0 ? [`drop ${dropped.join(', ')}`] : []),
    ...(isSorted ? [] : [`order: ${kept.map(({ step }) => step).join(', ')}`]),
    ...(words.trim() === '' ? [] : [`add: ${oneEdit(words)}`]),
  ]
}
