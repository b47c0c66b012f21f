// What a button, a select or a form carries: a version, what it does, and what about. It contains everything needed, so
// that cards posted before a restart, or before an update, still work.

/** At most 100 characters in all; ids of requests have 25. */
const version = 'b1'

const actions = [
  'approve',
  'always',
  'deny',
  'why',
  'option',
  'pick',
  'other',
  'answers',
  'skip',
  'stop',
  'always-form',
  'why-form',
  'other-form',
  'answers-form',
  'ask-form',
] as const
export type ButtonAction = (typeof actions)[number]

export interface CustomId {
  action: ButtonAction
  /** Of a request; of a turn for `stop`; of a message for `ask-form`. */
  id: string
  /** For `option`: which one, from 0. */
  index: number | undefined
}

export const customId = (action: ButtonAction, id: string, index?: number): string =>
  [version, action, id, ...(index === undefined ? [] : [index])].join(':')

export function readCustomId(text: string): CustomId | undefined {
  const [given, action, id, index] = text.split(':')
  const known = actions.find((one) => one === action)
  if (given !== version || known === undefined || !id) return undefined
  return { action: known, id, index: index === undefined ? undefined : Number(index) }
}
