import { fine } from '../../domain/finding.ts'
import type { Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { fitsName } from '../../kit/patterns/name.ts'
import { endPlan as endPlanOf, hasPlan, openPlan } from '../../store/plans.ts'
import { loadTools } from '../../store/session-tools.ts'
import type { Session } from '../../store/sessions.ts'
import { openTurn, type StoredTurn } from '../../store/turns.ts'
import { wordsOfTurn } from '../../store/who-wrote.ts'
import type { Capability } from '../../turn/port/capability.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { endPlan } from './end-plan.ts'
import { type Grade, gradeOf } from './grade.ts'
import { make } from './make.ts'
import { makePlan, type PlansContext } from './make-plan.ts'
import { overdueJob } from './overdue.ts'
import { planStep, type StepContext } from './plan-step.ts'
import { nextCalls, underway } from './run.ts'
import { type PlansSettings, plansSection, settingsFor } from './settings.ts'
import { stepContext } from './steps.ts'
import { dropTakenBack } from './taken-back.ts'
import { untilPlanned } from './until-planned.ts'
import { endedWords, meanwhileWords, plansWords } from './words.ts'

const tools: readonly Tool[] = [makePlan, planStep, endPlan]
const none: readonly Tool[] = []

const noPlan = new Failure('no_plan', meanwhileWords.noPlan, meanwhileWords.seeResults)

/** Turns that may have a plan although none of their replies was stored when they were read. */
const mayHave = new WeakSet<StoredTurn>()

/** A turn without calls has no plan, and most turns have none. */
const mayHavePlan = (row: StoredTurn): boolean => row.steps > 0 || mayHave.has(row)

const advice: Record<Exclude<Grade, 'simple'>, string> = {
  moderate: 'This request seems to take a few steps. If so, make_plan runs them in parallel.',
  complex:
    'This request seems to take many steps. Call make_plan before you change anything; first look at what you need for the plan.',
}

/** An agent may not have the tool, and subagents don't. */
const isGraded = ({ parent, agents }: Session, { enabled }: PlansSettings): boolean =>
  enabled && parent === undefined && (agents?.stack.length ?? 0) === 0

const isPlanned = ({ bot, row }: Pick<TurnScope, 'bot' | 'row'>): Promise<boolean> =>
  hasPlan(bot.store.db, { turn: row.id, session: row.session })

/** Work plans: what a large request takes, who does it, and how far it has got. */
export const plans: Capability<PlansSettings> = {
  name: 'plans',
  title: 'Plans',
  settings: plansSection,
  found: ({ config }) => (settingsFor(config).enabled ? tools : none),
  foundBefore: async (_, { enabled }) => (enabled ? tools : none),
  mayFind: (name) => tools.some((tool) => fitsName(name, tool.name)),
  context(turn, call, settings): PlansContext & StepContext {
    const { row } = turn
    const plans: PlansContext['plans'] = {
      make(proposal) {
        mayHave.add(row)
        return make(proposal, call, turn, settings)
      },
      async end() {
        const { bot, lease } = turn
        const ended = await bot.store.fenced(lease, (tx) => endPlanOf(tx, row.id, plansWords.wantsElse()))
        if (ended === undefined) throw noPlan
        return endedWords(ended)
      },
    }
    return { plans, ...stepContext(turn, call, settings) }
  },
  async implied(text, session, { config }) {
    const settings = settingsFor(config)
    return isGraded(session, settings) && gradeOf(text, settings) !== 'simple' ? [{ name: makePlan.name }] : []
  },
  named: (tx, session, named) => loadTools(tx, session, named.length === 0 ? [] : [makePlan.name]),
  async reminders({ bot, session, row }, unanswered) {
    const { config, store } = bot
    const settings = settingsFor(config)
    const said = unanswered.flatMap((one) =>
      one.role === 'user' && one.origin === 'person' && one.turn === row.id ? one.text : [],
    )
    if (mayHavePlan(row) && (await underway(store.db, row.id, settings))?.waits) return [meanwhileWords.goesOn]
    if (!isGraded(session, settings)) return []
    const continues = unanswered.some((one) => one.role === 'user' && one.origin === 'resume' && one.turn === row.id)
    const grade = gradeOf(continues ? await wordsOfTurn(store.db, row) : said.join('\n'), settings)
    return grade === 'simple' || (continues && (await isPlanned({ bot, row }))) ? [] : [advice[grade]]
  },
  async mayCall(tool, turn) {
    const { session, row } = turn
    const { config, store } = turn.bot
    const settings = settingsFor(config)
    if (!isGraded(session, settings)) return
    if (tool.kind !== 'run' || tool.effect === 'read' || tool.inPlanMode === true) return
    if (gradeOf(await wordsOfTurn(store.db, row), settings) !== 'complex' || (await isPlanned(turn))) return
    await untilPlanned(turn, settings)
  },
  underway: async (db, row, settings) => (mayHavePlan(row) ? underway(db, row.id, settings) : undefined),
  async beforeModel(_, scope) {
    const { row, bot } = scope
    return mayHavePlan(row) ? nextCalls(scope, settingsFor(bot.config)) : undefined
  },
  standing:
    ({ store }) =>
    async ({ id }) => {
      const turn = await openTurn(store.db, id)
      const plan = turn && (await openPlan(store.db, turn.id))
      if (plan === undefined) return []
      const over = plan.steps.filter(({ isFinal }) => isFinal).length
      return [plansWords.standing({ title: plan.title, done: over, count: plan.steps.length })]
    },
  rewritten: dropTakenBack,
  jobs: (bot, settings) => [overdueJob(bot, settings)],
  async *checks(_, { enabled, suggestFrom, requireFrom }) {
    yield fine(
      enabled ? plansWords.fromSteps({ suggested: suggestFrom, required: requireFrom }) : plansWords.switchedOff(),
    )
  },
}
