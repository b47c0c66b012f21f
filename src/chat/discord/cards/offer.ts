import type { Approval } from '../../../domain/request.ts'
import { inlineCode, visible } from '../plain.ts'

/** What "always" would let through, in words: each pattern with what else it stands for. */
export interface Offer {
  exact: string
  /** Absent where nothing wider is offered. */
  wide: string | undefined
  untrusted: boolean
}

/** Of the patterns of one choice; both have to fit into a form. */
const room = 1_700

/** Undefined where it can be approved once only: also where not all that it would let through can be shown. */
export function offerOf({ grants, binding }: Approval): Offer | undefined {
  if (grants === undefined || grants.exact.length === 0) return undefined
  const exact = wordsOf(grants.exact, binding)
  if (exact.length > room) return undefined
  const wide = grants.wide && wordsOf(grants.wide, binding)
  return { exact, wide: wide !== undefined && wide.length <= room ? wide : undefined, untrusted: grants.untrusted }
}

const wordsOf = (patterns: string[], binding: string): string =>
  patterns.map((pattern) => `- ${patternCode(pattern)} ${lets(pattern, binding)}`).join('\n')

/** A pattern as it is, on one line. */
export const patternCode = (pattern: string): string => inlineCode(visible(pattern).replace(/\r?\n/g, '\\n'))

/** What else it lets through, in one sentence: of a call, only what it is about is compared with a pattern. */
function lets(pattern: string, binding: string): string {
  const same = binding === '' ? '' : ', as long as the files that it runs stay as they are'
  return `lets through every call for ${rangeOf(pattern)}${same}.`
}

function rangeOf(pattern: string): string {
  if (/^\/.+\/$/s.test(pattern)) return 'what fits this expression'
  const stars = pattern.replace(/\\./gs, '').split('*').length - 1
  if (stars === 0) return 'exactly this, whatever its other arguments are'
  return stars === 1 && pattern.endsWith('*') ? 'whatever begins like this' : 'this with any text in place of each star'
}
