import { type Format, formats } from './formats.ts'
import { isName } from './placeholder.ts'
import { isJoined, type SecretSpan } from './span.ts'
import { Tries } from './tries.ts'

const byStart = new Map(formats.flatMap((format) => format.starts.map((start): [string, Format] => [start, format])))
const awsKeyId = 'an AWS access key id'
/** The secret of an AWS key stands near its id: in the next column, on the next line. */
const awsReach = 256

export const prefixedKinds = [...new Set(formats.map(({ kind }) => kind)), 'an AWS secret key']

const anyStart = new RegExp(
  [...byStart.keys()]
    .sort((a, b) => b.length - a.length)
    .map((start) => start.replace(/[.?]/g, '\\$&'))
    .join('|'),
  'g',
)

/** Tokens recognised by their beginning. One may contain the beginning of the next, if nothing stands between them. */
export function prefixed(text: string): SecretSpan[] {
  const first = text.search(anyStart)
  if (first === -1) return []
  const spans: SecretSpan[] = []
  const tries = new Tries()
  const search = new RegExp(anyStart)
  search.lastIndex = first
  let lastEnd = 0
  let awsFrom = 0
  for (let hit = search.exec(text); hit !== null; hit = search.exec(text)) {
    const { 0: start, index } = hit
    search.lastIndex = index + 1
    const format = byStart.get(start)
    if (format === undefined || !tries.allows(index)) continue
    const from = index + start.length
    const body = bodyAt(format.body, text, from)
    const end = from + (body?.length ?? 0)
    tries.tried(index, end)
    if (body === undefined || !isMixed(body, format.sure) || isExample(body)) continue
    if (format.word && index > lastEnd && isJoined(text, index)) continue
    lastEnd = Math.max(lastEnd, end)
    spans.push({ start: format.visible ? from : index, end, kind: format.kind, weight: 1 })
    if (format.kind !== awsKeyId) continue
    spans.push(...awsSecrets(text, Math.max(end, awsFrom), end + awsReach))
    awsFrom = end + awsReach
  }
  return spans
}

function bodyAt(sticky: RegExp, text: string, from: number): string | undefined {
  sticky.lastIndex = from
  return sticky.exec(text)?.[0]
}

/** Random characters, rather than `your-token-here` or `XXXXXXXX`. Not every random token has a digit. */
function isMixed(body: string, isSure = false): boolean {
  const beginning = body.slice(0, 256)
  if (new Set(beginning.slice(0, 64)).size < 7) return false
  if (!isSure && /[-_]/.test(body) && isName(beginning)) return false
  if (isSure || /[0-9]/.test(body) || /[B-DF-HJ-NP-TV-XZ]{4}/.test(beginning)) return true
  const rises = beginning.match(/[a-z][A-Z]/g)?.length ?? 0
  return /[-_]/.test(body) ? rises >= 3 : rises >= 1 && /[A-Z].*[A-Z]/.test(beginning)
}

const isExample = (body: string): boolean => body.includes('EXAMPLE') || /x{6}|X{6}|\.{3}/.test(body)

const awsSecret = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g

function awsSecrets(text: string, from: number, to: number): SecretSpan[] {
  // One character more, so that a run of letters isn't mistaken for a shorter one.
  const near = text.slice(from - 1, to + 1)
  return [...near.matchAll(awsSecret)].flatMap(({ 0: found, index }) => {
    const start = from - 1 + index
    const isRandom = /[a-z]/.test(found) && /[A-Z]/.test(found) && /[0-9/+]/.test(found) && !isExample(found)
    return isRandom ? [{ start, end: start + found.length, kind: 'an AWS secret key', weight: 1 as const }] : []
  })
}
