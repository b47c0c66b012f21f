import type { Json } from '../../kit/json.ts'
import { readMessages } from '../../store/messages.ts'
import { readPrompt } from '../../store/prompts.ts'
import type { Session } from '../../store/sessions.ts'
import type { Services } from '../../turn/port/scope.ts'

/** The instructions as they were sent to the model, the messages that changed them since, and the tools it has now. */
export async function promptFacts(session: Session, bot: Services): Promise<Json> {
  const { db } = bot.store
  const { text = '', told = [] } = (await readPrompt(db, session.id)) ?? {}
  const numbers = [...new Set(told.map(({ at }) => at))].filter((at) => at > 0).toSorted((a, b) => a - b)
  const changes = await Promise.all(numbers.map((at) => readMessages(db, session.id, { from: at, to: at })))
  return {
    instructions: text,
    changes: changes.flat().map((message) => ({ message: message.seq, text: message.text })),
    tools: (await bot.offeredTo(session)).map(({ name }) => name),
  }
}
