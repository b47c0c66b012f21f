import { setTimeout as sleep } from 'node:timers/promises'
import type { BudgetLimit } from '../../config/config.ts'
import { nanosOf } from '../../kit/model/cost.ts'
import type { Price } from '../../kit/model/model.ts'
import { cautiousCharactersPerToken, outputReserve, tokensPerImage } from '../../kit/model/tokens.ts'
import type { ParentCall } from '../../store/session-rows.ts'
import type { Db, Tx } from '../../store/store.ts'
import { giveUpOld, reserve } from '../../store/usage.ts'
import { spentBy } from '../../store/usage-sums.ts'
import type { ModelCall, ModelPermit } from '../../turn/port/model-permit.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import { answerOthers, askedBefore } from './asked.ts'
import {
  type Decision,
  decide,
  filterOf,
  limitWords,
  questionOf,
  type Spending,
  type Standing,
  stopWords,
} from './limits.ts'
import { spendingWords } from './words.ts'

/** A reserve that nobody has settled for so long counts as spent, ms. */
const staleMs = 1_800_000
const firstWaitMs = 100
const longestWaitMs = 1_000

/** The most a call will probably cost, in billionths of a US dollar. */
function reserveOf({ model, characters, images }: ModelCall, price: Price): number {
  const input = Math.ceil(characters() / cautiousCharactersPerToken) + images * tokensPerImage
  const usage = { input, output: Math.min(model.outputLimit, outputReserve), cached: 0 }
  return nanosOf(usage, { ...price, input: Math.max(price.input, price.written ?? 0) })
}

/**
 * Reserves what a call may cost, within all limits. While only calls under way stand in the way, it waits for them. At
 * a soft limit people are asked, once in a turn; nobody is asked about what is written aside.
 */
export async function permitCall(call: ModelCall, scope: ModelScope): Promise<ModelPermit | undefined> {
  const { store, config, engine, holder } = scope.bot
  const { limits } = config.budgets
  const { lease, aside } = scope
  const { price } = call
  const { parent } = scope.session
  if (limits.length === 0 || price === undefined) return undefined
  const where: Spending = {
    session: scope.session.id,
    turn: scope.row.id,
    thread: scope.session.thread,
    person: scope.row.person,
  }
  if (parent !== undefined && aside === undefined) await answerOthers(store, limits, where, parent)
  const until = AbortSignal.any([scope.signal, engine.leaving])
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const attempt = async (tx: Tx): Promise<ModelPermit | { kind: 'wait' }> => {
      // Two that add up at the same moment would both fit.
      await tx.alone('budgets')
      // A process that is gone may have asked.
      await giveUpOld(tx, { turn: aside === undefined ? where.turn : undefined, before: tx.now - staleMs })
      const decision = decide(await standingsOf(tx.db, limits, where, tx.now, parent))
      const goes = decision.do === 'go' || (decision.do === 'ask' && aside !== undefined)
      if (!goes) return notAsked(decision, where, aside)
      const { slot, model } = call
      const id = await reserve(tx, where, { slot, model: model.name, nanos: reserveOf(call, price), aside, holder })
      return { kind: 'go', reserve: id }
    }
    const permit = await (lease === undefined ? store.patiently(where.session, attempt) : store.fenced(lease, attempt))
    if (permit.kind !== 'wait') return permit
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: until })
  }
}

function notAsked(
  decision: Exclude<Decision, { do: 'go' }>,
  where: Spending,
  aside: string | undefined,
): ModelPermit | { kind: 'wait' } {
  if (decision.do === 'wait') return { kind: 'wait' }
  const { limit } = decision
  if (decision.do === 'ask') {
    const question = { tool: 'ask_decision', input: questionOf(limit, where) }
    return { kind: 'call', calls: [question], asksConsent: true }
  }
  if (aside !== undefined) return { kind: 'stop', text: spendingWords.budgetSpent({ limit: limitWords(limit, where) }) }
  return { kind: 'stop', text: stopWords(limit, where, decision.bySaying) }
}

/** What a child session spends counts for its parent. */
const standingsOf = (
  db: Db,
  limits: readonly BudgetLimit[],
  where: Spending,
  now: number,
  parent?: ParentCall,
): Promise<Standing[]> =>
  Promise.all(
    limits.map(async (limit) => ({
      limit,
      ...(await spentBy(db, filterOf(limit, { ...where, ...parent }, now))),
      asked: limit.soft === undefined ? ('no' as const) : await askedBefore(db, limit, where, parent),
    })),
  )
