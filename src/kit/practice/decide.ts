import { fallback, intents } from './intents.ts'
import { reportTrouble } from './outcome.ts'
import type { Intent, Situation, Step } from './situation.ts'

/** No message needs more steps than this; a practice model must never loop. */
const maxRounds = 12

const intentOf = (text: string, situation: Situation): Intent | undefined =>
  intents.find((intent) => intent.matches(text, situation))

/** Requests are short; matching patterns against a pasted book would take too long. */
const maxCharacters = 2_000

/** Long runs of any spaces and of empty lines say nothing, and would take patterns long. */
const condensed = (text: string): string => text.replace(/[^\S\n]{3,}/g, '  ').replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')

/** A fenced block contains code, and stays as it is. */
const readable = (text: string): string =>
  text
    .split(/(```[\s\S]*?(?:```|$))/)
    .map((part, place) => (place % 2 === 1 ? part : condensed(part)))
    .join('')
    .slice(0, maxCharacters)

/** Politeness, and the bot's own name, aren't part of the request. */
const politeness = /^(?:(?:please|bobbin[,:]?|can you|could you|would you|will you|请你?|帮我|麻烦你?)\s*)+/i

/** "a, then b" is two requests if both are known; otherwise "then" is part of the text. */
function clausesOf(situation: Situation): string[] {
  const text = readable(situation.text)
    .replace(politeness, '')
    .replace(/,?\s+please[.!]?$/i, '')
  if (text.includes('```')) return [text]
  const parts = text
    .split(/[,;.]?\s+(?:and\s+)?then[,:]?\s+|[,，;；。]?\s*(?:然后|接着)\s*/i)
    .map((part) => part.trim().replace(politeness, ''))
    .filter((part) => part !== '')
  return parts.length > 1 && parts.every((part) => intentOf(part, situation)) ? parts : [text]
}

function troubleIn(intent: Intent, rounds: Situation['rounds']): string | undefined {
  if (intent.handlesFailures) return undefined
  const failed = rounds.flat().find(({ outcome }) => outcome.kind !== 'done')
  return failed && reportTrouble(failed.name, failed.outcome)
}

/** These become available in a thread when a person writes their name. */
const isBroughtIn = (tool: string): boolean => tool === 'run_command' || tool === 'run_script'

function withoutMissingTools(step: Step, situation: Situation): Step {
  const missing = step.calls?.find(({ name }) => !situation.tools.has(name))
  if (missing === undefined) return step
  if (isBroughtIn(missing.name)) {
    return {
      text: `I need the tool \`${missing.name}\` for that. To load it, write \`@${missing.name}\` before your request.`,
    }
  }
  return { text: `I’d need the tool \`${missing.name}\` for that, and it isn’t available here.` }
}

type Progress = { step: Step; used: number; ended: boolean; failed: boolean }

/** Replays one clause over the steps taken, until they are used up or it answers. */
function replay(text: string, situation: Situation): Progress {
  const intent = intentOf(text, situation) ?? fallback
  for (let used = 0; ; used++) {
    const rounds = situation.rounds.slice(0, used)
    const trouble = troubleIn(intent, rounds)
    if (trouble !== undefined) return { step: { text: trouble }, used, ended: true, failed: true }
    const step = intent.next({ ...situation, text, rounds })
    const calls = step.calls ?? []
    if (calls.length === 0) return { step, used, ended: true, failed: false }
    if (used >= situation.rounds.length) return { step, used, ended: false, failed: false }
  }
}

/** The next reply: requests are handled in order, and answered together at the end. */
export function decideStep(situation: Situation): Step {
  if (situation.rounds.length >= maxRounds) {
    return { text: `I’ll stop here: this has taken ${maxRounds} steps, and I’m only a practice model.` }
  }
  const answers: string[] = []
  let rest = situation.rounds
  let slowness: number | undefined
  for (const clause of clausesOf(situation)) {
    const progress = replay(clause, { ...situation, rounds: rest })
    if (!progress.ended) return withoutMissingTools(progress.step, situation)
    answers.push(progress.step.text)
    slowness ??= progress.step.slowness
    if (progress.failed) break
    rest = rest.slice(progress.used)
  }
  if (situation.text.length > maxCharacters)
    answers.push(`(I only read the first ${maxCharacters} characters of that.)`)
  return { text: answers.join('\n\n'), ...(slowness !== undefined && { slowness }) }
}
