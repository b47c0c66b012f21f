import { doneCalls, type Intent, type PlannedCall } from '../situation.ts'

const asks = /^(?:plan|to-?dos?|make a plan|计划|待办)\s*(?:for\s+[^:：]+)?[:：]\s*/i
/** With the list itself and one step for each, this stays below the steps that a message may take. */
const maxItems = 8

const itemsIn = (text: string): string[] =>
  text
    .replace(asks, '')
    .split(/\s*(?:[,;\n，；、]|\band then\b)\s*(?:and\s+)?/i)
    .map((item) =>
      item
        .replace(/^([-*]|\d+[.)])\s+/, '')
        .replace(/[.。]$/, '')
        .trim(),
    )
    .filter((item) => item !== '')
    .slice(0, maxItems)

function listAfter(items: string[], done: number): PlannedCall {
  const status = (place: number) => (place < done ? 'completed' : place === done ? 'in_progress' : 'pending')
  const todos = items.map((content, place) => ({ content, status: status(place), priority: 'medium' }))
  return { name: 'todo_write', input: { todos } }
}

export const plan: Intent = {
  name: 'plan',
  example: 'plan: read the notes, write a draft, check it',
  matches: (text) => asks.test(text) && itemsIn(text).length > 0,
  next(situation) {
    const items = itemsIn(situation.text)
    const written = doneCalls(situation, 'todo_write').length
    if (written <= items.length) {
      const done = items[written - 2]
      const text = done === undefined ? (written === 0 ? 'Here is the plan.' : 'I begin.') : `Done: ${done}.`
      return { text, calls: [listAfter(items, written)] }
    }
    const list = items.map((item) => `- [x] ${item}`).join('\n')
    return { text: `The plan is through. (For practice: I only ticked the items off.)\n\n${list}` }
  },
}
