import type { HookContext, Status } from '../domain/plugin.ts'
import {
  type Model,
  ModelFailure,
  type ModelImage,
  type ModelPatience,
  type ModelRequest,
  type Reply,
} from '../kit/model/model.ts'
import { type AskListener, askModel } from '../model/ask.ts'
import type { Hooks } from './hooks.ts'
import type { Journal } from './journal-port.ts'

export interface ReplyDeps {
  journal: Journal
  model: Model
  /** Answers where images are to be seen; may be `model` itself. */
  seeing: Model | undefined
  patience: ModelPatience
  /** Tells what the turn is at. */
  status(status: Status): Promise<void>
  hooks: Hooks
  hookContext: HookContext
}

/** Images that a model is shown once. */
export interface Sight {
  images: ModelImage[]
  /** For the model that is shown them. */
  reminder: string
  /** For the model that answers in its place, when it cannot. */
  unseen: string
}

/** The request for a model, with reminders and images beside what it is sent anyway. */
export type RequestFor = (model: Model, reminders: string[], images: ModelImage[]) => ModelRequest

/**
 * A whole reply: of the model that sees, when there is something to see. When that one refuses or keeps failing, the
 * base model answers without the images, and is told so.
 */
export async function replyTo(sight: Sight | undefined, requestFor: RequestFor, deps: ReplyDeps): Promise<Reply> {
  const { journal, model, seeing } = deps
  const hear = (by: Model, request: ModelRequest) => askModel(by, request, deps.patience, listenerOf(deps))
  if (sight === undefined || seeing === undefined) return hear(model, requestFor(model, [], []))
  try {
    return await hear(seeing, requestFor(seeing, [sight.reminder], sight.images))
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown
    await journal.textDiscarded()
    await journal.warn('images_not_seen', `${thrown.message} Going on without the images.`)
  }
  return hear(model, requestFor(model, [sight.unseen], []))
}

const listenerOf = ({ journal, hooks, hookContext, status }: ReplyDeps): AskListener => ({
  thought: (text) => journal.thought(text),
  textStarted: () => status('thinking'),
  textDelta(delta) {
    journal.textDelta(delta)
    hooks.text(delta, hookContext)
  },
  textDiscarded: () => journal.textDiscarded(),
  async retrying({ waitMs, failure }) {
    await status('retrying')
    await journal.warn(failure.code, `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`)
  },
})
