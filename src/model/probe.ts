import type { ModelSlot } from '../kit/model/model.ts'
import { failureOf, refusal, type SlotSettings } from './failures.ts'

const longEnoughMs = 15_000

/**
 * Whether the endpoint refuses the key or can't be reached, in a sentence. It asks for the list of models, which costs
 * nothing. Endpoints without one, or whose list is public, tell nothing: then it's undefined.
 */
export async function probeModel(slot: ModelSlot, settings: SlotSettings): Promise<string | undefined> {
  const host = URL.canParse(slot.baseUrl) ? new URL(slot.baseUrl).host : slot.baseUrl
  const endpoint = { ...settings, host, id: slot.id, apiKey: slot.apiKey }
  try {
    const answer = await fetch(`${slot.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: slot.apiKey === '' ? {} : { authorization: `Bearer ${slot.apiKey}` },
      signal: AbortSignal.timeout(longEnoughMs),
    })
    await answer.body?.cancel()
    return [401, 402, 403].includes(answer.status) ? refusal(answer.status, answer.statusText, endpoint) : undefined
  } catch (thrown) {
    return failureOf(thrown, endpoint, false, Date.now()).message
  }
}
