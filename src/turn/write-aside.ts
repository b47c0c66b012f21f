import { askModel } from '../model/ask.ts'
import type { Services } from './capability.ts'
import type { TurnServices } from './services.ts'

const nobody = {
  thought() {},
  textStarted() {},
  textDelta() {},
  async textDiscarded() {},
  retrying() {},
}

/** Has the base model write a text that is no part of a conversation. */
export const writerBy =
  ({ model, config }: Pick<TurnServices, 'model' | 'config'>): Services['write'] =>
  async (_session, { system, text }, signal) => {
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: text },
    ]
    const reply = await askModel(model, { messages, tools: [], signal }, config.model.patience, nobody)
    return reply.text.trim()
  }
