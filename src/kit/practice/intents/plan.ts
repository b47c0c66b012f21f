import { knownFilesIn } from '../names-in-text.ts'
import { doneCalls, type Intent, type PlannedCall, type Situation, type Step } from '../situation.ts'

const asks = /^(?:plan|to-?dos?|make a plan|计划|待办)\s*(?:for\s+[^:：]+)?[:：]\s*/i
const listed = /^(?:to-?dos?|待办)/i
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

/** What begins like this needs everything before it. “Then” would begin a request of its own. */
const startsLater = /^(?:afterwards|after that|finally)\s+|^最后/i

function planOf(situation: Situation): PlannedCall {
  const items = itemsIn(situation.text)
  const steps = items.map((item, place) => {
    const what = item.replace(startsLater, '')
    const files = knownFilesIn(what, situation)
    return {
      what,
      gives: 'What it says, word for word',
      ...(what !== item && { after: Array.from({ length: place }, (_, earlier) => earlier + 1) }),
      ...(files.length > 0 && { files }),
    }
  })
  const title = items.join(', ').slice(0, 200)
  return { name: 'make_plan', input: { title, confidence: 90, steps } }
}

/** The steps go to subagents, one for each item. Between the plan and its steps, people may be asked about it. */
function carriedOut(situation: Situation): Step {
  const done = doneCalls(situation, 'plan_step')
  const isOff = doneCalls(situation, 'ask_decision').some(({ outcome }) => outcome.text.includes('Don’t run it'))
  if (isOff) return { text: 'OK, I won’t run it.' }
  if (done.length === 0) return { text: 'Here is the plan.', calls: [planOf(situation)] }
  const results = done.map(
    ({ input, outcome }) => `**${input.what}**\n\n${outcome.text.replace(/^\[[^\]\n]*\]\n\n/, '')}`,
  )
  return { text: results.join('\n\n') }
}

function listAfter(items: string[], done: number): PlannedCall {
  const status = (place: number) => (place < done ? 'completed' : place === done ? 'in_progress' : 'pending')
  const todos = items.map((content, place) => ({ content, status: status(place), priority: 'medium' }))
  return { name: 'todo_write', input: { todos } }
}

export const plan: Intent = {
  name: 'plan',
  example: 'plan: summarise #notes.md; search for “budget”; finally list the files',
  matches: (text) => asks.test(text) && itemsIn(text).length > 0,
  handlesFailures: true,
  next(situation) {
    if (situation.tools.has('make_plan') && !listed.test(situation.text)) return carriedOut(situation)
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
