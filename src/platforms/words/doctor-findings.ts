import { broken, type Finding, fine, mind } from '../../domain/finding.ts'
import { reasonOf } from '../../kit/failure.ts'
import { chatWords } from './words.ts'

/** The server's clock has whole seconds and its answer took a moment, so a smaller difference means nothing. */
const tellingMs = 5_000
/** Slack treats requests older than five minutes as forged, and so do we. */
const tooMuchMs = 240_000

/** Compares our clock with a server's, by the Date header of its answer. */
export function clockFinding(whose: string, date: string | null | undefined, now: number): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return mind(chatWords.noTimeGiven({ whose }))
  const ahead = now - theirs
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const words = ahead > 0 ? chatWords.clockAhead({ seconds, whose }) : chatWords.clockBehind({ seconds, whose })
  if (Math.abs(ahead) >= tooMuchMs) return broken(words, chatWords.clockRemedy())
  if (Math.abs(ahead) >= tellingMs) return mind(words, chatWords.clockRemedy())
  return fine(chatWords.clockAgrees({ whose }))
}

/** It reads its tokens only when it starts. `first`: what to try before that. */
export const apartFinding = (whose: string, ...first: string[]): Finding =>
  mind(chatWords.botApart({ whose }), ...first, chatWords.botApartRemedy())

/** Says ECONNREFUSED where the outer errors say that a request failed. */
export function innermost(thrown: unknown): string {
  let inner = thrown
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  return inner instanceof Error && 'code' in inner ? `${inner.code}` : reasonOf(inner)
}
