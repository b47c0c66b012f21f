import type { Failure } from '../../../kit/failure.ts'
import type { Health } from '../../platform.ts'
import { discordWords } from '../words/words.ts'

/** The state of a connection. */
export interface ConnectionState {
  refused: Failure | undefined
  isStopped: boolean
  isReady: boolean
  /** Why connecting failed last, if it did. */
  lastFailure: string | undefined
  /** Until the next new session may begin; ms. */
  waitingUntil: number | undefined
  /** Since the last sign of life; ms. */
  silentMs: number
}

/** A connection in words. `mostSilentMs`: if there is no sign for longer, something is wrong. */
export function healthOf(state: ConnectionState, now: number, mostSilentMs: number): Health {
  const { refused, waitingUntil, silentMs } = state
  if (refused !== undefined) return bad(`${refused.message}. ${refused.remedy}`)
  if (state.isStopped) return bad(discordWords.stopped())
  if (waitingUntil !== undefined) {
    const seconds = Math.ceil(Math.max(0, waitingUntil - now) / 1000)
    return bad(discordWords.waitsSeconds({ seconds }))
  }
  if (!state.isReady) return bad(state.lastFailure ?? discordWords.connecting())
  if (silentMs > mostSilentMs) return bad(discordWords.silentSeconds({ seconds: Math.round(silentMs / 1000) }))
  return { ok: true, detail: discordWords.connected() }
}

const bad = (detail: string): Health => ({ ok: false, detail })
