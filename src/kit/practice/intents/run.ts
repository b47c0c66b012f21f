import { fenced, unquoted } from '../names-in-text.ts'
import { callOnce, doneCalls, type Intent, type PlannedCall, type Situation, type Step } from '../situation.ts'

const named = /@?\brun_command\b[:,]?\s{0,9}/g
const asks =
  /^(?:run|execute)(?:\s{1,9}(?:the\s{1,9})?(?:command\b\s{0,9})?[:：]?|[:：])\s{0,9}|^(?:运行|执行)\s{0,9}[:：]?\s{0,9}/i

/** The words without the tool's name, which only makes it available in the thread. */
const said = (text: string): string => text.replace(named, '').trim()

/** "run: ls -la", or "@run_command ls -la": the command. */
function commandIn(text: string): string {
  const words = said(text)
  const fence = /```\w*\n([\s\S]*?)\n?```/.exec(words)?.[1]
  return (fence ?? unquoted(words.replace(asks, ''))).trim()
}

export const run: Intent = {
  name: 'run',
  example: '@run_command run: ls -la',
  matches: (text) => (asks.test(said(text)) || /^@run_command\b/.test(text)) && commandIn(text) !== '',
  next(situation) {
    const command = commandIn(situation.text)
    const call = { name: 'run_command', input: { command } }
    return runOnce(situation, call, (result) => ran(`\`${command.split('\n', 1)[0]}\``, result))
  },
}

/** Runs it once. If the closed sandbox was too strict for it, asks a person for what it needs and runs it again. */
export function runOnce(situation: Situation, call: PlannedCall, answer: (result: string) => string): Step {
  const [first, ...more] = doneCalls(situation, call.name)
  const asked = /\[This ran in the closed sandbox[^\n]* needs: (\[[^\]\n]{1,80}\])/.exec(first?.outcome.text ?? '')?.[1]
  if (asked === undefined || more.length > 0) return callOnce(situation, call, answer)
  const needs = JSON.parse(asked)
  const text = `The closed sandbox doesn’t allow this, so I’m asking for what it needs: ${needs.join(', ')}.`
  return { text, calls: [{ name: call.name, input: { ...call.input, needs } }] }
}

/** What a command or a script printed, and how it ended, in a sentence of its own. */
export function ran(what: string, result: string): string {
  const [, ending = '', printed = result] = /^\[([^[\]\n]{1,200})\]\n?([\s\S]*)$/.exec(result) ?? []
  const output = printed.trim() === '' ? 'It printed nothing.' : fenced(printed)
  const wrong = /^Exit code [1-9]/.test(ending) ? ' That isn’t 0, so something went wrong.' : ''
  return `I ran ${what}.\n\n${output}${ending === '' ? '' : `\n\n${ending.replace(/\.?$/, '.')}${wrong}`}`
}
