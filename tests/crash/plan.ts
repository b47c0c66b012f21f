import { between, chance, randomOf } from './random.ts'

/** What the model does for a message before it answers. */
const steps = ['files', 'notify', 'again', 'asked', 'ask', 'alarm'] as const
/** Words that choose a route: two agents work on the message side by side, or one on what the other found. */
export const routes = ['team', 'chain'] as const
/**
 * Two subagents work for it (`hands`), or a plan is carried out, one that people are asked about first (`agreed`), or it is
 * routed; on platforms, also a question with options and an answer in several messages.
 */
export const allSteps = [...steps, 'hands', 'plan', 'agreed', ...routes, 'choose', 'long'] as const
export type Step = (typeof allSteps)[number]

export interface PlannedMessage {
  /** Identifies the message wherever it appears. */
  token: string
  user: string
  text: string
  upload: { name: string; content: string } | undefined
  /** Sent twice at the same instant, with one key. */
  twice: boolean
  /** The reader leaves after the first event. */
  leaves: boolean
  /** Sent while earlier ones are unanswered. */
  joins: boolean
  pauseMs: number
  stopAfterMs: number | undefined
}

const users = ['ana', 'ben', 'cleo', 'dan']
const userOf = (at: number): string => users[at % users.length] ?? 'ana'

const shareOfStep: Record<(typeof steps)[number], number> = {
  files: 0.6,
  notify: 0.8,
  again: 0.4,
  asked: 0.5,
  ask: 0.2,
  alarm: 0.25,
}

/** What others do for a message. A draw of its own, so that the other steps of a seed stay as they were. */
export function handsFor(seed: number, token: string): Step[] {
  const wants = chance(randomOf(seed, 'hands', token), 0.2)
  const planned = randomOf(seed, 'plan', token)
  const plan = chance(planned, 0.18) ? [chance(planned, 0.5) ? ('plan' as const) : ('agreed' as const)] : []
  const routed = randomOf(seed, 'route', token)
  if (chance(routed, 0.15)) return [chance(routed, 0.5) ? 'team' : 'chain', ...plan]
  return [...(wants ? ['hands' as const] : []), ...plan]
}

/** Now and then, a person stops what subagents are at. */
export function stopOfHands(seed: number, token: string): number | undefined {
  const random = randomOf(seed, 'hands stopped', token)
  return handsFor(seed, token).length > 0 && chance(random, 0.5) ? between(random, 300, 3000) : undefined
}

export const textOf = (token: string, does: Step[]): string => `${token} steps: ${does.join(' ') || 'none'}.`

/** The messages of a conversation: a function of the seed and its number. */
export function planConversation(seed: number, conversation: number): PlannedMessage[] {
  const random = randomOf(seed, 'conversation', conversation)
  return Array.from({ length: between(random, 3, 7) }, (_, place) => {
    const token = `tok-${conversation}-${place}`
    const does: Step[] = steps.filter((step) => chance(random, shareOfStep[step]))
    does.push(...handsFor(seed, token))
    return {
      token,
      user: userOf(between(random, 0, users.length - 1)),
      text: textOf(token, does),
      upload: chance(random, 0.25)
        ? { name: `${token}.txt`, content: `of ${token}\n${'line\n'.repeat(between(random, 1, 4000))}` }
        : undefined,
      twice: chance(random, 0.1),
      leaves: chance(random, 0.3),
      joins: place > 0 && chance(random, 0.5),
      pauseMs: between(random, 0, 600),
      stopAfterMs: chance(random, 0.06) ? between(random, 100, 1500) : stopOfHands(seed, token),
    }
  })
}

export interface PlannedClick {
  waitMs: number
  decision: 'approve' | 'deny'
  /** How the answer is given. A second person says the opposite at the same instant. */
  how: 'one' | 'two' | 'thread'
  user: string
  second: string
}

/** How a person answers the request of a token: even messages are approved, odd ones denied. */
export function planClick(seed: number, token: string, what: string): PlannedClick {
  const random = randomOf(seed, 'click', token, what)
  const place = between(random, 0, users.length - 1)
  return {
    waitMs: between(random, 0, 700),
    decision: Number(/\d+$/.exec(token)?.[0] ?? 0) % 2 === 0 ? 'approve' : 'deny',
    how: chance(random, 0.35) ? 'two' : chance(random, 0.5) ? 'thread' : 'one',
    user: userOf(place),
    second: userOf(place + 1),
  }
}

/** When a bot on a chat platform is killed: after a message was delivered, or just as it begins to do this. */
const moments = ['heard', 'streaming', 'posting', 'card', 'click', 'upload', 'thread'] as const
export type Moment = (typeof moments)[number]

export type PlannedKill =
  /** SIGKILL this long after it was ready. */
  | { kind: 'running'; afterMs: number }
  /** SIGKILL this long after an event worth a kill. */
  | { kind: 'moment'; what: Moment; afterMs: number }
  /** SIGKILL this long after it was spawned. */
  | { kind: 'starting'; afterMs: number }
  /** SIGSTOP; another takes over for a while; SIGCONT. `numb`: it checks its lock so rarely that it keeps working for a time. */
  | { kind: 'freeze'; afterMs: number; workMs: number; numb: boolean }

export function planKills(seed: number, kills: number, freezes: number, at: readonly Moment[] = []): PlannedKill[] {
  const random = randomOf(seed, 'kills')
  // Connecting to a platform and reading missed messages takes a while, during which little can happen.
  const longestMs = at.length > 0 ? 4000 : 1600
  const frozen = new Set<number>()
  while (frozen.size < Math.min(freezes, kills)) frozen.add(between(random, 0, kills - 1))
  return Array.from({ length: kills }, (_, place): PlannedKill => {
    const afterMs = between(random, 20, longestMs)
    const what = at[place % at.length]
    if (frozen.has(place))
      return { kind: 'freeze', afterMs, workMs: between(random, 300, 1500), numb: chance(random, 0.5) }
    if (what !== undefined && chance(random, 0.6)) return { kind: 'moment', what, afterMs: between(random, 0, 60) }
    return chance(random, 0.2) ? { kind: 'starting', afterMs: between(random, 20, 900) } : { kind: 'running', afterMs }
  })
}
