import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'

/** The server's clock has whole seconds and its answer took a moment, so a smaller difference means nothing. */
const tellingMs = 5_000
/** Slack treats requests older than five minutes as forged, and so do we. */
const tooMuchMs = 240_000

const remedy = 'Let the machine keep the time: sudo timedatectl set-ntp true'

/** Compares our clock with a server's, by the Date header of its answer. */
export function clockFinding(whose: string, date: string | null | undefined, now: number): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return mind(`${whose} did not say what time it is there.`)
  const ahead = now - theirs
  const words = `This machine's clock is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} ${whose}'s`
  if (Math.abs(ahead) >= tooMuchMs) return broken(`${words}.`, remedy)
  if (Math.abs(ahead) >= tellingMs) return mind(`${words}.`, remedy)
  return fine(`The clock agrees with ${whose}'s.`)
}

/** Says ECONNREFUSED where the outer errors say that a request failed. */
export function innermost(thrown: unknown): string {
  let inner = thrown
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  return inner instanceof Error && 'code' in inner ? `${inner.code}` : reasonOf(inner)
}
