import type { CallId } from '../../domain/ids.ts'
import { givenUp, type Plan, type PlanStep, withStep } from '../../domain/plan.ts'
import type { ChildTask, TaskEnd, Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { endedCalls } from '../../store/calls.ts'
import { appendEvents } from '../../store/events.ts'
import { startJob } from '../../store/jobs.ts'
import { callsOfAttempts, openPlan, savePlan, tellEnds } from '../../store/plans.ts'
import type { Db, Tx } from '../../store/store.ts'
import { hasUnreadWords } from '../../store/unseen.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { done, settled, standingsOf, withOutcomes } from './advance.ts'
import { overdue } from './overdue.ts'
import { planStep, type StepContext } from './plan-step.ts'
import type { PlansSettings } from './settings.ts'
import { cutMark, taskOf } from './words.ts'

/** What the call of a step may do. */
export const stepContext = (turn: TurnScope, call: CallId, settings: PlansSettings): StepContext => ({
  planStep: {
    begin: (step) => begin(step, call, turn, settings),
    end: (step, end) => note(step, end, call, turn, settings),
  },
})

const noStep = (why: string) => new Failure('no_step', why, 'The program calls plan_step itself. Go on without it.')

/** Marks a step as begun and says what it is to do; undefined while others have to end first. */
async function begin(
  number: number,
  call: CallId,
  turn: TurnScope,
  settings: PlansSettings,
): Promise<ChildTask | 'taken-back' | undefined> {
  const { store, toolbox } = turn.bot
  const { lease, row, workspace } = turn
  const held = (await hasUnreadWords(store.db, row.session)) && (await heldBack(store.db, number, call, row.id))
  if (held) return held === 'waits' ? undefined : held
  const found = await lookAt(store.db, number, call, row.id, settings)
  if (found === 'later') return undefined
  const files = await filesThere(found.step.files, workspace)
  const reading = new Set(toolbox.all.filter(reads).map(({ name }) => name))
  return store.fenced(lease, async (tx) => {
    // Others may have begun meanwhile.
    const now = await lookAt(tx.db, number, call, row.id, settings)
    if (now === 'later') return undefined
    const { plan, step, results } = now
    const earlier = step.attempt > 1 ? await callsOfAttempts(tx.db, plan, planStep.name, number) : []
    const tried = earlier.filter(({ name }) => !reading.has(name)).map((one) => tx.mask(one))
    if (step.status !== 'in_progress') await markBegun(tx, plan, step, settings)
    return {
      text: taskOf(plan, step, results, tried),
      title: step.isOther ? (step.otherWay ?? step.what) : step.what,
      files,
      maxSteps: settings.run.steps,
      atOnce: settings.run.atOnce,
      ...(step.agent !== undefined && { agent: step.agent }),
      skills: step.skills,
    }
  })
}

/** A search brings the same again. What one that is gone did before isn't known. */
const reads = ({ effect, repeatable, retired }: Tool): boolean =>
  !retired && (effect === 'read' || (effect === 'external' && repeatable === true))

/** A plan may name what a step is to make, or what an earlier one failed to make. */
async function filesThere(paths: readonly string[], workspace: TurnScope['workspace']): Promise<string[]> {
  const kinds = await Promise.all(paths.map(async (path) => (await workspace.stat(path))?.kind))
  return paths.filter((_, place) => kinds[place] === 'file')
}

/** A step that needs more results than this is given as many characters of all together. */
const wholeResults = 3

/** What a step is given of the results that it needs: short ones leave their share to the long ones. */
function shared(results: [number, string][], most: number): Map<number, string> {
  let left = most * wholeResults
  const shortestFirst = results.toSorted(([, one], [, other]) => one.length - other.length)
  const given = shortestFirst.map(([number, result], place): [number, string] => {
    const share = Math.min(most, Math.floor(left / (results.length - place)))
    left -= Math.min(result.length, share)
    return [number, result.length <= share ? result : `${result.slice(0, share)}\n${cutMark}`]
  })
  return new Map(given)
}

interface Due {
  plan: Plan
  step: PlanStep
  /** Of the steps whose results it reads. */
  results: Map<number, string>
}

/** What people say is read by the model before another step begins. Steps that are called by then are called anew. */
async function heldBack(
  db: Db,
  number: number,
  call: CallId,
  turn: Plan['turn'],
): Promise<'waits' | 'taken-back' | undefined> {
  const { plan } = await asItStands(db, turn)
  const step = plan?.steps.find((one) => one.number === number)
  if (step?.call !== call || step.isFinal || step.status !== 'planning') return undefined
  return plan?.steps.some(({ status }) => status === 'in_progress') ? 'waits' : 'taken-back'
}

/** The open plan, and how those of its calls that have ended did so. */
async function asItStands(db: Db, turn: Plan['turn']) {
  const stored = await openPlan(db, turn)
  const ended = await endedCalls(db, stored?.steps.flatMap((one) => one.call ?? []) ?? [])
  const states = new Map([...ended].map(([id, { state }]) => [id, state]))
  return { plan: stored && { ...stored, steps: withOutcomes(stored.steps, states) }, ended }
}

async function lookAt(
  db: Db,
  number: number,
  call: CallId,
  turn: Plan['turn'],
  { run }: PlansSettings,
): Promise<'later' | Due> {
  const { plan, ended } = await asItStands(db, turn)
  const step = plan?.steps.find((one) => one.number === number)
  if (plan === undefined || step?.call !== call) throw noStep(`There is no step ${number} that this call belongs to.`)
  const standing = standingsOf(plan, (one) => !ended.has(one)).get(number)
  if (standing === 'blocked') throw noStep(`Step ${number} hasn’t begun, because a step that it needs failed.`)
  if (standing === 'later') return 'later'
  if (standing !== 'ready' && standing !== 'running') throw noStep(`Step ${number} is over.`)
  const running = plan.steps.filter(({ status }) => status === 'in_progress').length
  if (standing === 'ready' && running >= (plan.oneByOne ? 1 : run.atOnce)) return 'later'
  const results = step.after.flatMap((one): [number, string][] => {
    const read = plan.steps.find((other) => other.number === one)?.call
    const end = read && ended.get(read)
    return end?.state === 'done' ? [[one, end.result]] : []
  })
  return { plan, step, results: shared(results, run.resultCharacters) }
}

async function markBegun(tx: Tx, plan: Plan, step: PlanStep, { run }: PlansSettings): Promise<void> {
  const { number, what, attempt, call } = step
  const data = { turn_id: plan.turn, plan_id: plan.id, step: number, what, attempt, ...(call && { call_id: call }) }
  await appendEvents(tx, plan.session, [{ type: 'step_start', data }])
  await savePlan(tx, withStep(plan, { ...step, status: 'in_progress' }))
  if (call === undefined) return
  await startJob(tx, { kind: overdue, key: call, owner: call, input: { call }, dueAt: tx.now + run.minutes * 60_000 })
}

/** Notes how an attempt at a step went. */
const note = (
  number: number,
  end: TaskEnd,
  call: CallId,
  { bot: { store }, lease, row }: TurnScope,
  settings: PlansSettings,
): Promise<void> =>
  store.fenced(lease, async (tx) => {
    const plan = await openPlan(tx.db, row.id)
    const step = plan?.steps.find((one) => one.number === number)
    if (plan === undefined || step?.call !== call || step.status !== 'in_progress') return
    const ended = end.state === 'done' ? done(step) : failed(step, end, settings)
    await tellEnds(tx, plan, [ended])
    await savePlan(tx, withStep(plan, ended))
  })

function failed(step: PlanStep, { isLate, isCalledOff }: TaskEnd, { run }: PlansSettings): PlanStep {
  const now: PlanStep = { ...step, status: isLate ? 'timeout' : 'failed' }
  const next = settled(now, { advice: new Map(), attempts: run.attempts })
  if (isCalledOff && next.status === 'planning') return givenUp(now)
  // Whether it is tried again is decided when no other step is under way.
  return next.isFinal ? next : now
}
