import { Failure, reasonOf, type Unavailable } from '../kit/failure.ts'
import type { Log } from '../kit/log.ts'
import { ModelFailure } from '../kit/model/model.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { mostTools } from '../turn/port/most-tools.ts'
import { wiringWords } from './words.ts'

export type Report = (what: string, about?: object) => (thrown: unknown) => void

/** Logs errors that nobody could handle. */
export const reportTo =
  (log: Log): Report =>
  (what, about = {}) =>
  (thrown) => {
    // Everything fails at once on a full disk, so its beginning and end are logged once, below.
    const fault = asUnavailable(thrown)
    if (fault?.passes) return log.debug({ ...about, reason: fault.code }, what)
    log.error({ ...about, error: reasonOf(thrown), stack: stackOf(thrown) }, what)
  }

/** Undefined for what is expected to happen: its message says everything. */
export function stackOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown instanceof Failure || thrown instanceof ModelFailure) return undefined
  // What the system and the network report, such as ECONNRESET.
  if ('code' in thrown && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(thrown.code))) return undefined
  return thrown.stack
}

/** Logs once which tools of MCP servers a request has no room for. */
export function warnOfCrowded(log: Log): (crowded: readonly { name: string }[]) => void {
  let isTold = false
  return (crowded) => {
    if (!isTold) log.warn({ tools: crowded.map(({ name }) => name) }, wiringWords.toolsCrowded({ most: mostTools }))
    isTold = true
  }
}

/** A nearly full disk comes and goes; the outage is over when nothing has failed for this time, ms. */
const quietMs = 5_000

/** Logs once that nothing can be stored, and once that it is over. */
export function outageLog(log: Log): (fault: Unavailable | undefined) => void {
  let told: string | undefined
  let over: NodeJS.Timeout | undefined
  return (fault) => {
    clearTimeout(over)
    if (fault === undefined) {
      over = setTimeout(() => {
        told = undefined
        log.warn({}, 'Bobbin can store things again and continues.')
      }, quietMs).unref()
      return
    }
    if (told === fault.code) return
    told = fault.code
    log.error({ reason: fault.code, error: reasonOf(fault.cause ?? fault) }, `${fault.message} ${fault.remedy}`)
  }
}
