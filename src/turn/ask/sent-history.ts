import { ModelFailure } from '../../kit/model/model.ts'
import type { SentHistory } from '../port/capability.ts'
import { stillSent, unansweredIn, windowOf } from '../port/history.ts'
import { countForWindow } from '../port/latest-messages.ts'
import type { JustRead, Turn } from '../state/turn.ts'

/** What of the history is sent: what a capability chooses, or the latest messages. `tooLong`: for another try. */
export async function sentHistory(
  turn: Turn,
  { justRead, tooLong = false }: { justRead?: JustRead | undefined; tooLong?: boolean },
): Promise<SentHistory> {
  const { capabilities, config } = turn.bot
  const { windowMessages } = config.agent
  const known = justRead?.history
  const need = {
    model: turn.model,
    system: turn.prompt.text,
    tools: turn.toolbox.definitionsOf(turn.offered),
    known,
    tooLong,
  }
  const chosen = await capabilities.history(turn, need, turn.hookContext)
  if (chosen !== undefined) return chosen
  const history = known ?? (await turn.journal.history(countForWindow(config.agent)))
  const messages = windowOf(stillSent(history), tooLong ? lessThan(windowMessages) : windowMessages)
  return { messages, unanswered: unansweredIn(history), reminders: [] }
}

/** For a model that can't read as much as was thought. */
const lessThan = (size: number): number => Math.ceil(size / 4)

export const isTooLong = (thrown: unknown): boolean => thrown instanceof ModelFailure && thrown.why === 'length'
