import { z } from 'zod'
import type { CallId } from '../../domain/ids.ts'
import { defineTool, type Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { oneLine } from '../../kit/text/text.ts'
import { handedTo } from '../../store/agents.ts'
import { openCalls } from '../../store/calls.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { sayMidway } from '../../turn/state/end-turn.ts'
import { change } from './change.ts'
import { agentOfTransfer, transferBack, transferOf } from './names.ts'
import { type AgentsSettings, agentsOn, mayHandOver } from './settings.ts'
import { whyNot } from './stack.ts'
import { agentsWords } from './words.ts'

/** What the tools of agents may use. */
export interface AgentsContext {
  handOver(tool: string, why: string): Promise<string>
}

const input = z.strictObject({
  why: z.string().trim().min(1).max(500).describe('What to do now, in one sentence. People see it'),
})

const alone = 'Call it alone in its step.'

const handOverTool = (name: string, description: string, doing: string, unlisted: boolean): Tool =>
  defineTool<z.infer<typeof input>, AgentsContext>({
    kind: 'run',
    onlyInThreads: true,
    name,
    description: `${description} ${alone}`,
    input,
    doing: () => doing,
    effect: 'write',
    // It is remembered which call it was.
    repeatable: true,
    inPlanMode: true,
    ...(unlisted && { unlisted: true }),
    run: ({ why }, { handOver }) => handOver(name, why),
  })

/** `transfer_to_<agent>` for each agent, and `transfer_back`. */
export const handOverTools = (settings: AgentsSettings): Tool[] => [
  ...agentsOn(settings).map(({ name, description }) =>
    handOverTool(
      transferOf(name),
      `Hands this thread to the agent ${name}: ${description}`,
      agentsWords.handingOver({ agent: name }),
      !mayHandOver(settings),
    ),
  ),
  handOverTool(
    transferBack,
    'Gives this thread back to whoever handed it to you.',
    agentsWords.handingBack(),
    !mayHandOver(settings),
  ),
]

/** Makes a hand-over, once, and returns what the model is told. Throws `not_handed_over`. */
export async function handOver(
  tool: string,
  why: string,
  call: CallId,
  scope: TurnScope,
  settings: AgentsSettings,
): Promise<string> {
  const session = scope.session.id
  const turn = scope.row.id
  const to = await scope.bot.store.fenced(scope.lease, async (tx) => {
    const handed = await handedTo(tx, session)
    const stack = handed?.stack ?? []
    // An earlier process did this and didn't get to say so.
    if (handed?.call === call) return stack.at(-1)
    const reason = whyNot(tool, handed, settings) ?? ((await openCalls(tx.db, turn)).length > 1 ? others : undefined)
    if (reason !== undefined) throw new Failure('not_handed_over', reason, 'Go on without it.')
    const agent = agentOfTransfer(tool)
    const next = agent === undefined ? stack.slice(0, -1) : [...stack, agent]
    await change(tx, { session, turn, stack: next, chosen: handed?.chosen ?? false, call }, settings)
    const { row, session: home, isPosted } = scope
    const text = wordsFor(stack.at(-1), next.at(-1), why)
    await sayMidway(tx, { ...row, home, isPosted }, { text, outputs: [] })
    return next.at(-1)
  })
  scope.promptChanged()
  return `${to ?? 'Bobbin itself'} has this thread from the next step on.`
}

const others = 'Other calls of this step are not done yet. Hand over in a step of its own.'

const wordsFor = (from = 'Bobbin', to = 'Bobbin', why: string): string =>
  agentsWords.handsOver({ from, to, why: oneLine(why, 300) })
