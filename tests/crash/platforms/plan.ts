import { handsFor, type Step, stopOfHands, textOf } from '../plan.ts'
import { between, chance, pick, randomOf } from '../random.ts'
import type { Upload } from './stage.ts'

export interface PlannedSaying {
  /** Identifies the message wherever it appears. */
  token: string
  user: string
  text: string
  /** It mentions the bot although it doesn't have to. */
  named: boolean
  uploads: Upload[]
  copies: number
  silent: boolean
  /** Posted while earlier ones are unanswered. */
  joins: boolean
  pauseMs: number
  /** What happens to it after a delay. */
  fate: { what: 'stop' | 'edit' | 'remove'; afterMs: number } | undefined
}

export interface PlannedThread {
  /** The name of a channel, or `direct`. */
  channel: string
  /** Who starts it. In direct messages, nobody else takes part. */
  user: string
  /** Posted among people before the bot is mentioned in the thread. */
  chatter: string | undefined
  sayings: PlannedSaying[]
}

const shareOfStep: [Step, number][] = [
  ['files', 0.45],
  ['notify', 0.5],
  ['again', 0.25],
  ['asked', 0.4],
  ['alarm', 0.2],
  ['long', 0.12],
]

/** A thread's messages: a function of the seed and its number. */
export function planThread(
  seed: number,
  thread: number,
  stage: { people: readonly string[]; channels: readonly string[] },
): PlannedThread {
  const random = randomOf(seed, 'thread', thread)
  const isDirect = chance(random, 0.15)
  // In direct messages, a person has one conversation at a time.
  const user = stage.people[thread % stage.people.length] ?? ''
  const sayings = Array.from({ length: between(random, 2, 5) }, (_, place): PlannedSaying => {
    const token = `tok-${thread}-${place}`
    const does = shareOfStep.flatMap(([step, share]) => (chance(random, share) ? [step] : []))
    if (chance(random, 0.35)) does.push(pick(random, ['ask', 'choose']))
    does.push(...handsFor(seed, token))
    const uploads = chance(random, 0.25) ? between(random, 1, 2) : 0
    const stopMs = stopOfHands(seed, token)
    const stopped = stopMs === undefined ? undefined : ({ what: 'stop', afterMs: stopMs } as const)
    const fate = fateOf(random(), between(random, 0, 1_500)) ?? stopped
    return {
      token,
      user: isDirect ? user : pick(random, stage.people),
      text: textOf(token, does),
      named: place === 0 || chance(random, 0.2),
      uploads: Array.from({ length: uploads }, (_, file) => ({
        name: `${token}-${file}.txt`,
        content: `of ${token}\n${'line\n'.repeat(between(random, 1, 3000))}`,
      })),
      copies: chance(random, 0.25) ? pick(random, [2, 2, 3, 11]) : 1,
      silent: chance(random, 0.06),
      joins: place > 0 && chance(random, 0.5),
      pauseMs: between(random, 0, 500),
      fate: place === 0 ? undefined : ((place === 1 ? certain(thread, fate?.afterMs) : undefined) ?? fate),
    }
  })
  const chatter = !isDirect && chance(random, 0.15) ? `chat-${thread} the harvest was good` : undefined
  return { channel: isDirect ? 'direct' : pick(random, stage.channels), user, chatter, sayings }
}

/** Even in a short campaign, somebody stops the bot, and deletes and edits messages. */
const fates = ['stop', 'edit', 'remove'] as const

/** Each more than once, because a thread may not get that far. */
const certainThreads = 3 * fates.length

function certain(thread: number, afterMs = 300): PlannedSaying['fate'] {
  const what = thread < certainThreads ? fates[thread % fates.length] : undefined
  return what && { what, afterMs }
}

function fateOf(draw: number, afterMs: number): PlannedSaying['fate'] {
  if (draw < 0.06) return { what: 'stop', afterMs }
  if (draw < 0.1) return { what: 'edit', afterMs }
  return draw < 0.13 ? { what: 'remove', afterMs } : undefined
}
