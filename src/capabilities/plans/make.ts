import { type CallId, newId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan.ts'
import { Failure } from '../../kit/failure.ts'
import { insertPlan, openPlan, planOfCall } from '../../store/plans.ts'
import { loadTools } from '../../store/session-tools.ts'
import { wordsOfTurn } from '../../store/who-wrote.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { endPlan } from './end-plan.ts'
import { has } from './grade.ts'
import type { Proposal } from './make-plan.ts'
import { planStep } from './plan-step.ts'
import type { PlansSettings } from './settings.ts'
import { plansWords } from './words.ts'

/** Stores a plan, once, and returns what the model is told. Throws `busy_plan`. */
export async function make(
  { title, confidence, oneByOne, steps }: Proposal,
  call: CallId,
  turn: TurnScope,
  settings: PlansSettings,
): Promise<string> {
  const { bot, session, row, lease } = turn
  const askedWhy = whyAsk(confidence, steps.length, await wordsOfTurn(bot.store.db, row), settings)
  await bot.store.fenced(lease, async (tx) => {
    // An earlier process did this and didn't get to say so.
    if ((await planOfCall(tx.db, call)) !== undefined) return
    if ((await openPlan(tx.db, row.id)) !== undefined)
      throw new Failure(
        'busy_plan',
        'Another plan of this request hasn’t ended yet.',
        'Make one plan at a time, or call end_plan first.',
      )
    const fresh = { status: 'planning' as const, isFinal: false, attempt: 0, isOther: false }
    const plan: Plan = {
      id: newId('plan', tx.now),
      session: session.id,
      turn: row.id,
      call,
      title,
      confidence,
      oneByOne,
      words: [],
      ...(askedWhy !== undefined && { askedWhy }),
      status: 'planning',
      steps: steps.map((step, place) => ({ ...step, ...fresh, number: place + 1 })),
    }
    await insertPlan(tx, plan)
    await loadTools(tx, session.id, [planStep.name, endPlan.name])
  })
  turn.promptChanged()
  const next = askedWhy === undefined ? 'Its steps follow' : 'People are asked about it first; then its steps follow'
  return `The plan is made. ${next} as calls of the program. When they have ended, put the answer together.`
}

/** Why people are asked about a plan before it runs; undefined if they aren't. */
function whyAsk(confidence: number, steps: number, words: string, { ask }: PlansSettings): string | undefined {
  if (steps > ask.moreStepsThan) return plansWords.ofSteps({ count: steps })
  // “About 10” is vague, and “a report about prices” or “about #10” isn’t.
  const numberless = words.replace(/(?<![\w#.])(?!(?:19|20)\d\d\b)\d+/g, '#')
  if (has(`${words}\n${numberless}`, ask.vague)) return plansWords.ofVague()
  return confidence < ask.confidenceBelow ? plansWords.ofDoubt({ confidence }) : undefined
}
