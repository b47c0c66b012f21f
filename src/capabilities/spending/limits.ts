import type { BudgetLimit } from '../../config/config.ts'
import type { Person, ThreadRef } from '../../domain/chat.ts'
import type { SessionId, TurnId } from '../../domain/ids.ts'
import { dollarWords } from '../../kit/model/cost.ts'
import { plainName } from '../../kit/text/text.ts'
import type { UsageFilter } from '../../store/usage-sums.ts'
import { spendingWords } from './words.ts'

/** Where money is about to be spent. */
export interface Spending {
  session: SessionId
  turn: TurnId
  thread: ThreadRef
  person: Person
}

/** How a limit stands: what was spent, and what calls under way may still cost, in billionths of a US dollar. */
export interface Standing {
  limit: BudgetLimit
  spent: number
  reserved: number
  /** Whether people were asked about it in this turn, and what they said. */
  asked: 'no' | 'continue' | 'stop'
}

/** `bySaying`: people were asked, and said no. */
export type Decision =
  | { do: 'go' }
  | { do: 'wait' }
  | { do: 'ask'; limit: BudgetLimit }
  | { do: 'stop'; limit: BudgetLimit; bySaying: boolean }

const nanos = (dollars: number): number => Math.round(dollars * 1e9)

/**
 * A call may begin while what was spent and reserved is below each limit, so a limit is exceeded by one call at most,
 * whose attempts may take more than its reserve. Where only the reserves of others fill it, they are waited for.
 */
export function decide(standings: readonly Standing[]): Decision {
  const spent = standings.find((one) => one.spent >= nanos(one.limit.usd) || one.asked === 'stop')
  if (spent !== undefined)
    return { do: 'stop', limit: spent.limit, bySaying: spent.asked === 'stop' && spent.spent < nanos(spent.limit.usd) }
  if (standings.some((one) => one.spent + one.reserved >= nanos(one.limit.usd))) return { do: 'wait' }
  const soft = standings.find(({ limit, asked, ...one }) => {
    if (limit.soft === undefined || asked !== 'no') return false
    return one.spent + one.reserved >= nanos(limit.usd * limit.soft)
  })
  return soft === undefined ? { do: 'go' } : { do: 'ask', limit: soft.limit }
}

type Within = NonNullable<BudgetLimit['within']>

/** Turns and threads end by themselves. What goes on for ever has a new budget each month. */
const usualWithin: Record<BudgetLimit['per'], Within> = {
  turn: 'always',
  thread: 'always',
  channel: 'month',
  person: 'month',
  tenant: 'month',
  day: 'day',
}

const withinOf = ({ per, within }: BudgetLimit): Within => within ?? usualWithin[per]

/** Which calls a limit counts. */
export function filterOf(limit: BudgetLimit, { session, turn, thread, person }: Spending, now: number): UsageFilter {
  const day = new Date(now).toISOString().slice(0, 10)
  const within = withinOf(limit)
  const since = { always: {}, day: { since: day }, month: { since: `${day.slice(0, 8)}01` } }[within]
  const { platform, tenant, project } = thread
  const whose: Record<BudgetLimit['per'], UsageFilter> = {
    turn: { turn, session },
    thread: { session },
    channel: { platform, tenant, project },
    person: { platform, tenant, person: person.id },
    tenant: { platform, tenant },
    day: {},
  }
  return { ...whose[limit.per], ...since }
}

/** `$5.00 for this channel this month`. */
export function limitWords(limit: BudgetLimit, { person }: Pick<Spending, 'person'>): string {
  const whose = {
    turn: 'for this turn',
    thread: 'for this thread',
    channel: 'for this channel',
    person: `for ${plainName(person.name)}`,
    tenant: 'for this workspace',
    day: 'for all of us',
  }[limit.per]
  const when = { always: '', day: ' today', month: ' this month' }[withinOf(limit)]
  return `${dollarWords(limit.usd * 1e9)} ${whose}${when}`
}

/** What the thread is told when the money is gone. */
export function stopWords(limit: BudgetLimit, where: Spending, wasAsked: boolean): string {
  const raise = spendingWords.raiseRemedy()
  const remedy = {
    turn: 'Say `continue` to go on in a new turn.',
    thread: spendingWords.threadBudgetRemedy({ raise }),
    channel: raise,
    person: raise,
    tenant: raise,
    day: raise,
  }[limit.per]
  const again = {
    always: '',
    day: ` ${spendingWords.renewedDaily()}`,
    month: ` ${spendingWords.renewedMonthly()}`,
  }[withinOf(limit)]
  if (wasAsked) return spendingWords.stoppedAsAsked({ limit: limitWords(limit, where), remedy })
  return spendingWords.stoppedByBudget({ limit: limitWords(limit, where), again, remedy })
}

/** The question at the soft limit. It never changes within a turn, so that it is asked once: no sum is in it. */
export const questionOf = (limit: BudgetLimit, where: Spending) => ({
  question: spendingWords.askAtSoftLimit({
    share: Math.round((limit.soft ?? 1) * 100),
    limit: limitWords(limit, where),
  }),
  options: [
    { id: 'continue', label: 'Go on' },
    { id: 'stop', label: 'Stop here' },
  ],
})
