import { type CallId, newId, type TurnId } from '../../domain/ids.ts'
import { givenUp, type Plan, type PlanStep } from '../../domain/plan.ts'
import type { QuestionAnswer } from '../../domain/question.ts'
import { oneLine } from '../../kit/text/text.ts'
import { type EndState, endedCalls } from '../../store/calls.ts'
import { openPlan, savePlan, tellEnds } from '../../store/plans.ts'
import { findRequestOfCall } from '../../store/requests.ts'
import type { Db, Tx } from '../../store/store.ts'
import { areAmongPeople, unansweredWords } from '../../store/unseen.ts'
import type { CallInPlace, ModelPermit } from '../../turn/port/model-permit.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import { type Advice, advance } from './advance.ts'
import { edited } from './edit.ts'
import { planStep } from './plan-step.ts'
import type { PlansSettings } from './settings.ts'
import { plansWords, planWords } from './words.ts'

/** The next calls of the plan under way; undefined when the model is to be asked. */
export async function nextCalls(
  { bot: { store }, row, lease, aside }: ModelScope,
  settings: PlansSettings,
): Promise<ModelPermit | undefined> {
  if (lease === undefined || aside !== undefined || (await openPlan(store.db, row.id)) === undefined) return undefined
  return store.fenced(lease, async (tx): Promise<ModelPermit | undefined> => {
    const plan = await openPlan(tx.db, row.id)
    if (plan === undefined) return undefined
    const calls = plan.askedWhy === undefined ? await goOn(tx, plan, settings) : await agree(tx, plan, settings)
    return calls.length === 0 ? undefined : { kind: 'call', calls }
  })
}

const question = (id: CallId, title: string, context: string, options: object[]): CallInPlace => ({
  id,
  tool: 'ask_decision',
  input: { question: title, context, options, kind: 'confirmation' } as unknown as CallInPlace['input'],
})

const agreeing = () => [
  { id: 'run', label: plansWords.runIt(), recommended: true },
  { id: 'one_by_one', label: plansWords.runStepwise(), description: plansWords.eachAfter() },
  { id: 'cancel', label: plansWords.dontRun() },
]

/** What a person said to the question that a call asked; undefined if nobody has been asked yet. */
async function answerTo(db: Db, call: CallId): Promise<QuestionAnswer | 'none' | undefined> {
  const request = await findRequestOfCall(db, call, ['decision', 'question'])
  if (request !== undefined) return (request.answer as QuestionAnswer | undefined) ?? 'none'
  // The call was refused, or never made.
  return (await endedCalls(db, [call])).has(call) ? 'none' : undefined
}

/** People decide about the plan before it runs. */
async function agree(tx: Tx, plan: Plan, settings: PlansSettings): Promise<CallInPlace[]> {
  const ask = async (now: Plan, remark = ''): Promise<CallInPlace[]> => {
    const id = now.question ?? newId('call', tx.now)
    if (now.question === undefined) await savePlan(tx, { ...now, question: id })
    const context = [remark, planWords(now), plansWords.howToEdit()].filter((part) => part !== '').join('\n\n')
    return [question(id, plansWords.shallI({ why: now.askedWhy ?? '' }), context, agreeing())]
  }
  const answer = plan.question === undefined ? undefined : await answerTo(tx.db, plan.question)
  if (answer === undefined) return ask(plan)
  const { question: _, ...asked } = plan
  if (answer === 'none' || answer.declined) return end(tx, asked, plansWords.nobodyAgreed())
  const [option] = answer.option_ids
  const what = edited(plan, wordsFor[option ?? ''] ?? answer.text)
  if (what.kind === 'cancelled') return end(tx, asked, plansWords.calledOff())
  if (what.kind === 'unclear') return end(tx, asked, plansWords.wantsElse())
  if (what.kind === 'wrong') return ask(asked, what.why)
  const { question: __, askedWhy: ___, ...agreed } = what.plan
  if (what.runs) return goOn(tx, agreed, settings)
  const { question: ____, ...changed } = what.plan
  return ask({ ...changed, askedWhy: plansWords.ofChange() })
}

const wordsFor: Record<string, string> = { run: 'run', one_by_one: 'one by one', cancel: 'cancel' }

async function end(tx: Tx, plan: Plan, why: string): Promise<CallInPlace[]> {
  const steps = plan.steps.map(givenUp)
  await tellEnds(tx, plan, steps)
  await savePlan(tx, { ...plan, status: 'failed', why, steps })
  return []
}

const deciding = () => [
  { id: 'again', label: plansWords.tryAgain() },
  { id: 'without', label: plansWords.goOnWithout() },
  { id: 'stop', label: plansWords.endPlan() },
]

/**
 * The next steps, or what people are asked about one that failed. Without any, the plan has ended, or it waits until
 * the model has replied to what people said, without calling anything.
 */
async function goOn(tx: Tx, plan: Plan, { run }: PlansSettings): Promise<CallInPlace[]> {
  const { steps, next, ended } = await whatComes(tx.db, plan, run)
  await tellEnds(tx, plan, steps)
  const now: Plan = { ...plan, status: 'in_progress', steps }
  if (next.do === 'end') {
    await savePlan(tx, { ...now, status: next.status })
    return []
  }
  if ((await unansweredWords(tx.db, plan)) > 0) {
    await savePlan(tx, now)
    return []
  }
  const due = new Map(next.steps.map((step) => [step.number, prepared(step, next.do, tx.now)]))
  await savePlan(tx, { ...now, steps: steps.map((step) => due.get(step.number) ?? step) })
  return [...due.values()].flatMap((step) => (next.do === 'ask' ? asking(step, ended) : running(step)))
}

async function whatComes(db: Db, plan: Plan, { attempts }: PlansSettings['run']) {
  const ended = await endedCalls(
    db,
    plan.steps.flatMap(({ call }) => call ?? []),
  )
  const outcomes = new Map<CallId, EndState>([...ended].map(([id, { state }]) => [id, state]))
  return { ...advance(plan, { outcomes, advice: await adviceOn(db, plan), attempts }), ended }
}

/**
 * How a turn's plan stands that isn't over: whether it waits for what the model replies to people, and whether these
 * may only have talked to each other.
 */
export async function underway(
  db: Db,
  turn: TurnId,
  { run }: PlansSettings,
): Promise<{ waits: boolean; maySayNothing: boolean } | undefined> {
  const plan = await openPlan(db, turn)
  if (plan === undefined) return undefined
  const hasMore = plan.askedWhy === undefined && (await whatComes(db, plan, run)).next.do !== 'end'
  const count = hasMore ? await unansweredWords(db, plan) : 0
  const waits = count > 0
  return { waits, maySayNothing: waits && (await areAmongPeople(db, plan, count)) }
}

/** With the call that asks about it or runs it. A question that was never asked keeps its id. */
function prepared(step: PlanStep, what: 'ask' | 'run', now: number): PlanStep {
  if (what === 'ask') return { ...step, question: step.question ?? newId('call', now) }
  // A call of which nothing is left was never made, or taken back, and that was no attempt.
  return { ...step, call: newId('call', now), attempt: step.call === undefined ? step.attempt + 1 : step.attempt }
}

const running = ({ call, number, attempt, what, otherWay, isOther, agent, skills }: PlanStep): CallInPlace[] =>
  call === undefined
    ? []
    : [
        {
          id: call,
          tool: planStep.name,
          input: {
            step: number,
            attempt,
            what: oneLine(isOther ? (otherWay ?? what) : what, 120),
            ...(agent !== undefined && { agent }),
            ...(skills.length > 0 && { skills }),
          },
        },
      ]

function asking(
  { question: id, number, what, call }: PlanStep,
  ended: ReadonlyMap<CallId, { result: string }>,
): CallInPlace[] {
  if (id === undefined) return []
  const why = call === undefined ? '' : (ended.get(call)?.result ?? '')
  const title = plansWords.stepFailed({ step: number, what: oneLine(what, 200) })
  return [question(id, title, oneLine(why, 500), deciding())]
}

async function adviceOn(db: Db, { steps }: Plan): Promise<Map<CallId, Advice>> {
  const found = new Map<CallId, Advice>()
  for (const { question: call } of steps) {
    const answer = call === undefined ? undefined : await answerTo(db, call)
    if (call !== undefined && answer !== undefined) found.set(call, toAdvice(answer))
  }
  return found
}

/**
 * If a person answers with none of the options, the plan ends: the model reads what they wrote and continues from
 * there.
 */
function toAdvice(answer: QuestionAnswer | 'none'): Advice {
  const [option] = answer === 'none' || answer.declined ? [] : answer.option_ids
  return option === 'again' || option === 'without' ? option : 'stop'
}
