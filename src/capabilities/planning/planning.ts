import type { Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { Session } from '../../store/sessions.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { planCommand } from './commands.ts'
import type { PlanningContext } from './context.ts'
import { switchMode } from './mode.ts'
import { planEnter } from './plan-enter.ts'
import { planExit } from './plan-exit.ts'
import { planningWords } from './words.ts'

const text =
  'Plan mode is on in this thread. Read, search and ask, but change nothing: tools that change something are refused. When you know enough, call plan_exit with the plan. A person then decides.'

/** What the tools of a turn changed: its session was read before. */
const changed = new WeakMap<Session, Session['mode']>()
const modeOf = (session: Session): Session['mode'] => changed.get(session) ?? session.mode

/** With `approvals: false`, nobody is asked, so a model can't switch plan mode on or off. */
function refuseUnconfirmed({ name }: Tool): void {
  if (name === planEnter.name) throw new Failure('plan_mode', planningWords.nobodyToAgree(), planningWords.goOn())
  if (name === planExit.name) throw new Failure('plan_mode', planningWords.onlyPeopleEnd(), planningWords.answerPlan())
}

/** Looking and planning first: nothing is changed until a person agrees. */
export const planning: Capability = {
  name: 'planning',
  title: 'Planning',
  tools: [planEnter, planExit],
  context: (turn): Pick<PlanningContext, 'planning'> => ({
    planning: {
      async setMode(mode) {
        const { bot, session, lease } = turn
        await bot.store.fenced(lease, (tx) => switchMode(tx, session.id, mode))
        changed.set(session, mode)
        turn.promptChanged()
      },
    },
  }),
  prompt: (session) => (modeOf(session) === 'plan' ? [{ name: 'Plan mode', text }] : []),
  mayCall(tool, { session, bot }) {
    const isOn = modeOf(session) === 'plan'
    if (tool.name === planEnter.name && isOn) throw new Failure('plan_mode', 'Plan mode is on already.', '')
    if (tool.name === planExit.name && !isOn)
      throw new Failure('plan_mode', 'Plan mode is not on.', planningWords.goOn())
    if (!bot.rules.approvals) refuseUnconfirmed(tool)
    if (!isOn || tool.kind !== 'run' || tool.effect === 'read' || tool.inPlanMode) return
    throw new Failure(
      'plan_mode',
      `Plan mode is on, and ${tool.name} may change something.`,
      'Plan it, and call plan_exit with the plan.',
    )
  },
  standing: () => async (session) =>
    session.mode === 'plan' ? ['Plan mode: I only look and plan; `plan off` ends it'] : [],
  commands: () => [planCommand],
}
