import { knownFilesIn } from '../names-in-text.ts'
import { doneCalls, type Intent, type PlannedCall, type Situation } from '../situation.ts'

const asks = /^(?:delegate|in parallel|委派)\s*[:：]\s*/i
const comparesAll = /\b(?:compare|summari[sz]e|look at)\s+(?:all|these|those)\b.*\bfiles\b/i
const mostParts = 8

/** Each file by itself: fewer than three are compared without help. */
const filesOf = ({ text, uploads, tools }: Situation) =>
  comparesAll.test(text) && uploads.length > 2 && tools.has('delegate_task') ? uploads.slice(0, mostParts) : []

const partsIn = (text: string): string[] =>
  text
    .replace(asks, '')
    .split(/\s*[;\n；]\s*/)
    .map((part) => part.replace(/^([-*]|\d+[.)])\s+/, '').trim())
    .filter((part) => part !== '')
    .slice(0, mostParts)

function callsFor(situation: Situation): PlannedCall[] {
  const files = filesOf(situation)
  if (files.length > 0)
    return files.map(({ path }) => ({
      name: 'delegate_task',
      input: { task: `summarise #${path.slice(path.lastIndexOf('/') + 1)}`, files: [path] },
    }))
  return partsIn(situation.text).map((task) => {
    const paths = knownFilesIn(task, situation)
    return { name: 'delegate_task', input: { task, ...(paths.length > 0 && { files: paths }) } }
  })
}

export const delegate: Intent = {
  name: 'delegate',
  example: 'delegate: summarise #notes.md; search for “budget”',
  handlesFailures: true,
  matches: (text, situation) =>
    (asks.test(text) && partsIn(text).length > 0) || filesOf({ ...situation, text }).length > 0,
  next(situation) {
    const done = doneCalls(situation, 'delegate_task')
    if (done.length === 0) return { text: 'Each part goes to a subagent.', calls: callsFor(situation) }
    const results = done.map(
      ({ input, outcome }) => `**${input.task}**\n\n${outcome.text.replace(/^\[[^\]\n]*\]\n\n/, '')}`,
    )
    return { text: results.join('\n\n') }
  },
}
