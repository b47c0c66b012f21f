import { sql } from 'kysely'
import type { CallId, PlanId, SessionId, TurnId } from '../domain/ids.ts'
import { givenUp, type Plan, type PlanStep } from '../domain/plan.ts'
import type { StoredCall } from './calls.ts'
import { appendEvents } from './events.ts'
import { listOf } from './json.ts'
import type { PlanRow, PlanStepRow } from './plan-rows.ts'
import { prepared } from './prepared.ts'
import type { Db, Tx } from './store.ts'
import { turnsResumed } from './turns-behind.ts'

// Literals, so that SQLite uses the partial index.
const open = (['planning', 'in_progress'] as const).map((status) => sql.lit(status))

const openOf = prepared((db, { turn }: { turn: TurnId }) =>
  db.selectFrom('plans').selectAll().where('turn_id', '=', turn).where('status', 'in', open),
)

/** The plan that a turn works on. */
export async function openPlan(db: Db, turn: TurnId): Promise<Plan | undefined> {
  const [row] = await openOf(db, { turn })
  return row && toPlan(db, row)
}

/** The plan that a call made. */
export async function planOfCall(db: Db, call: CallId): Promise<Plan | undefined> {
  const row = await db.selectFrom('plans').selectAll().where('call_id', '=', call).executeTakeFirst()
  return row && toPlan(db, row)
}

/** Whether a turn, or one that it continues, has made a plan, however that went. */
export async function hasPlan(db: Db, of: { turn: TurnId; session: SessionId }): Promise<boolean> {
  const turns = await turnsResumed(db, of)
  const row = await db
    .selectFrom('plans')
    .select('id')
    .where('turn_id', 'in', listOf(turns))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The calls of earlier attempts at a step that took effect, or may have. `tool` runs steps. */
export async function callsOfAttempts(
  db: Db,
  { session, turn, call }: Pick<Plan, 'session' | 'turn' | 'call'>,
  tool: string,
  number: number,
): Promise<Pick<StoredCall, 'name' | 'arguments' | 'state'>[]> {
  const rows = await db
    .selectFrom('calls')
    .innerJoin('sessions', 'sessions.id', 'calls.session_id')
    .innerJoin('calls as attempts', 'attempts.id', 'sessions.parent_call')
    .select(['calls.tool as name', 'calls.arguments', 'calls.state', 'attempts.arguments as about'])
    .where('attempts.session_id', '=', session)
    .where('attempts.turn_id', '=', turn)
    .where('attempts.tool', '=', tool)
    // The turn may have had another plan before.
    .where('attempts.proposed_at', '>=', db.selectFrom('calls').select('proposed_at').where('id', '=', call))
    .where('calls.state', 'in', ['done', 'unknown'])
    .orderBy('calls.proposed_at')
    .orderBy('calls.place')
    .execute()
  return rows.filter(({ about }) => JSON.parse(about).step === number)
}

async function toPlan(db: Db, row: PlanRow): Promise<Plan> {
  const steps = await db.selectFrom('plan_steps').selectAll().where('plan_id', '=', row.id).orderBy('number').execute()
  return {
    id: row.id,
    session: row.session_id,
    turn: row.turn_id,
    call: row.call_id,
    title: row.title,
    confidence: row.confidence,
    oneByOne: row.one_by_one === 1,
    words: JSON.parse(row.words),
    status: row.status,
    ...(row.asked_why !== null && { askedWhy: row.asked_why }),
    ...(row.question_call !== null && { question: row.question_call }),
    ...(row.why !== null && { why: row.why }),
    steps: steps.map(toStep),
  }
}

const toStep = (row: PlanStepRow): PlanStep => ({
  number: row.number,
  what: row.what,
  gives: row.gives,
  after: JSON.parse(row.after_steps),
  tools: JSON.parse(row.tools),
  files: JSON.parse(row.files),
  skills: JSON.parse(row.skills),
  ifItFails: row.if_it_fails,
  words: JSON.parse(row.words),
  status: row.status,
  attempt: row.attempt,
  isFinal: row.final === 1,
  isOther: row.other === 1,
  ...(row.needs !== null && { needs: row.needs }),
  ...(row.agent !== null && { agent: row.agent }),
  ...(row.other_way !== null && { otherWay: row.other_way }),
  ...(row.call_id !== null && { call: row.call_id }),
  ...(row.question_call !== null && { question: row.question_call }),
})

const fromStep = (plan: PlanId, step: PlanStep): PlanStepRow => ({
  plan_id: plan,
  number: step.number,
  what: step.what,
  gives: step.gives,
  needs: step.needs ?? null,
  after_steps: JSON.stringify(step.after),
  tools: JSON.stringify(step.tools),
  files: JSON.stringify(step.files),
  agent: step.agent ?? null,
  skills: JSON.stringify(step.skills),
  if_it_fails: step.ifItFails,
  other_way: step.otherWay ?? null,
  words: JSON.stringify(step.words),
  status: step.status,
  final: step.isFinal ? 1 : 0,
  call_id: step.call ?? null,
  attempt: step.attempt,
  other: step.isOther ? 1 : 0,
  question_call: step.question ?? null,
})

const isOver = ({ status }: Plan): boolean => status !== 'planning' && status !== 'in_progress'

const changing = (tx: Tx, plan: Plan) => ({
  title: plan.title,
  one_by_one: plan.oneByOne ? 1 : 0,
  words: JSON.stringify(plan.words),
  status: plan.status,
  asked_why: plan.askedWhy ?? null,
  question_call: plan.question ?? null,
  why: plan.why ?? null,
  ended_at: isOver(plan) ? tx.now : null,
})

/** Stores a new plan, and tells screens. */
export async function insertPlan(tx: Tx, given: Plan): Promise<void> {
  const plan = tx.mask(given)
  const { id, session, turn, call, confidence } = plan
  const own = { id, session_id: session, turn_id: turn, call_id: call, confidence, created_at: tx.now }
  await tx.db
    .insertInto('plans')
    .values({ ...own, ...changing(tx, plan) })
    .execute()
  await writeSteps(tx, plan)
  await tellPlan(tx, plan)
}

/** Stores what became of a plan, and tells screens. */
export async function savePlan(tx: Tx, given: Plan): Promise<void> {
  const plan = tx.mask(given)
  await tx.db.updateTable('plans').set(changing(tx, plan)).where('id', '=', plan.id).execute()
  await tx.db.deleteFrom('plan_steps').where('plan_id', '=', plan.id).execute()
  await writeSteps(tx, plan)
  await tellPlan(tx, plan)
}

async function writeSteps(tx: Tx, plan: Plan): Promise<void> {
  const rows = plan.steps.map((step) => fromStep(plan.id, step))
  if (rows.length > 0) await tx.db.insertInto('plan_steps').values(rows).execute()
}

async function tellPlan(tx: Tx, plan: Plan): Promise<void> {
  const steps = plan.steps.map(({ number, what, gives, after, status, attempt, agent, words, call }) => ({
    step: number,
    what,
    gives,
    after,
    status,
    attempt,
    words,
    ...(agent !== undefined && { agent }),
    ...(call !== undefined && { call_id: call }),
  }))
  const about = { turn_id: plan.turn, plan_id: plan.id, title: plan.title, status: plan.status }
  const asked = plan.status === 'planning' && plan.question !== undefined ? { asked_by: plan.question } : {}
  const data = { ...about, one_by_one: plan.oneByOne, words: plan.words, ...asked, steps }
  const why = plan.why === undefined ? {} : { why: plan.why }
  await appendEvents(tx, plan.session, [{ type: 'work_plan', data: { ...data, ...why } }])
}

/** Ends the plan of a turn that is still open, if there is one, and returns it. */
export async function endPlan(tx: Tx, turn: TurnId, why: string): Promise<Plan | undefined> {
  const plan = await openPlan(tx.db, turn)
  if (plan === undefined) return undefined
  const ended: Plan = { ...plan, status: 'failed', why, steps: plan.steps.map(givenUp) }
  await tellEnds(tx, plan, ended.steps)
  await savePlan(tx, ended)
  return ended
}

/** Tells screens that attempts have ended, and which steps are over for good. */
export async function tellEnds(tx: Tx, before: Plan, steps: readonly PlanStep[]): Promise<void> {
  for (const step of steps) {
    const old = before.steps.find(({ number }) => number === step.number)
    const { number, status, attempt, call } = step
    const about = { turn_id: before.turn, plan_id: before.id, step: number, status }
    if (old?.status === 'in_progress' && status !== 'in_progress')
      await appendEvents(tx, before.session, [
        { type: 'step_end', data: { ...about, attempt, ...(call && { call_id: call }) } },
      ])
    if (step.isFinal && !old?.isFinal) await appendEvents(tx, before.session, [{ type: 'step_finish', data: about }])
  }
}
