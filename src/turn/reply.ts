import { type Model, ModelFailure, type ModelImage, type ModelRequest, type Reply } from '../kit/model/model.ts'
import { type AskListener, askModel } from '../model/ask.ts'
import type { Turn } from './turn.ts'

/** Images a model is shown once. */
export interface Sight {
  images: ModelImage[]
  /** For the model that is shown them. */
  reminder: string
  /** For the model that answers instead, when that one can't. */
  unseen: string
}

/** Makes a model's request, adding reminders and images to what is sent anyway. */
export type RequestFor = (model: Model, reminders: string[], images: ModelImage[]) => ModelRequest

/**
 * A whole reply, from the model that sees if there are images. If that one refuses or keeps failing, the base model
 * answers without the images, and is told so.
 */
export async function replyTo(sight: Sight | undefined, requestFor: RequestFor, turn: Turn): Promise<Reply> {
  const { journal, model } = turn
  const { seeing, config } = turn.bot
  const hear = (by: Model, request: ModelRequest) => askModel(by, request, config.model.patience, listenerOf(turn))
  if (sight === undefined || seeing === undefined) return hear(model, requestFor(model, [], []))
  try {
    return await hear(seeing, requestFor(seeing, [sight.reminder], sight.images))
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown
    await journal.textDiscarded()
    await journal.warn('images_not_seen', `${thrown.message} Continuing without the images.`)
  }
  return hear(model, requestFor(model, [sight.unseen], []))
}

const listenerOf = (turn: Turn): AskListener => ({
  thought: (text) => turn.journal.thought(text),
  textStarted: () => turn.status('thinking'),
  textDelta(delta) {
    turn.journal.textDelta(delta)
    turn.bot.capabilities.text(delta, turn.hookContext)
  },
  textDiscarded: () => turn.journal.textDiscarded(),
  async retrying({ waitMs, failure }) {
    await turn.status('retrying')
    await turn.journal.warn(failure.code, `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`)
  },
})
