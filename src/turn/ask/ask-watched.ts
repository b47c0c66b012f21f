import { ModelFailure, type ModelPatience, type ModelRequest, type Reply } from '../../kit/model/model.ts'
import type { Answerer } from '../../model/answerers.ts'
import { type AskListener, askModel } from '../../model/ask.ts'
import type { Capabilities } from '../hooks/capabilities.ts'
import type { AskedModel, MomentPlace } from '../port/moments.ts'
import { sizeOf } from '../prompt/request-size.ts'
import { type Paid, paidFor } from '../state/paid.ts'

interface Watched {
  patience: ModelPatience
  listener: AskListener
  /** What was reserved for the reply. */
  reserve?: string | undefined
  place: MomentPlace
  capabilities: Pick<Capabilities, 'see'>
}

/** A model's whole reply and what it cost. Watchers are told how it goes. Throws what `askModel` throws. */
export async function askWatched(
  one: Answerer,
  request: ModelRequest,
  { patience, listener, reserve, place, capabilities }: Watched,
): Promise<{ reply: Reply; paid: Paid }> {
  const model: AskedModel = { slot: one.slot, name: one.model.name }
  const heard: AskListener = {
    ...listener,
    begun: () => capabilities.see({ kind: 'first piece', model }, place),
    retrying(notice) {
      const { failure, waitMs } = notice
      capabilities.see({ kind: 'retry', model, code: failure.code, waitMs }, place)
      return listener.retrying(notice)
    },
  }
  capabilities.see({ kind: 'asked', model }, place)
  try {
    const reply = await askModel(one.model, request, patience, heard)
    const paid = paidFor(reply, one, { sent: () => sizeOf(request), reserve })
    const { finish, usage } = reply
    capabilities.see({ kind: 'replied', model, usage, nanos: paid.spent?.nanos, finish }, place)
    return { reply, paid }
  } catch (thrown) {
    capabilities.see({ kind: 'not replied', model, code: codeOf(thrown, request.signal) }, place)
    throw thrown
  }
}

function codeOf(thrown: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'aborted'
  return thrown instanceof ModelFailure ? thrown.code : 'internal'
}
