import { composed } from '../../../kit/text/composed.ts'
import { findByAnchors } from './anchors.ts'
import { blockSplice, linesOf, type Splice, type Wanted, wantedLines, withoutCommonIndent } from './places.ts'

/** A way to find a text: returns all matches that don't overlap, in order. Pure; line ends are LF. */
export interface Strategy {
  name: string
  find(text: string, wanted: Wanted): Splice[]
}

/** A Mac may write an accent as a character of its own, which looks the same. What is put there is as asked for. */
function exact(text: string, wanted: Wanted): Splice[] {
  const old = composed(wanted.old).text
  const all = composed(text)
  const places: Splice[] = []
  for (let at = all.text.indexOf(old); at >= 0; at = all.text.indexOf(old, at + old.length)) {
    const start = all.origin(at)
    const end = all.origin(at + old.length)
    // Elsewhere it is only a part of a letter.
    if (composed(text.slice(start, end)).text === old) places.push({ start, end, replacement: wanted.new })
  }
  return places
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '', '"': '"', "'": "'", '`': '`', '\\': '\\' }

const unescaped = (text: string): string => text.replace(/\\([ntr"'`\\])/g, (all, letter) => escapes[letter] ?? all)

/** A model that escapes once too often does so in both texts. */
function escapesNormalised(text: string, wanted: Wanted): Splice[] {
  const old = unescaped(wanted.old)
  return old === wanted.old || old === '' ? [] : exact(text, { old, new: unescaped(wanted.new) })
}

/** How many lines are compared again, because they are also in the next place. */
const mostAgain = 50_000

/** Whole lines, compared after `normalise` has normalised them, which changes only the white space around each. */
const byLines =
  (normalise: (lines: string[]) => string[]) =>
  (text: string, wanted: Wanted): Splice[] => {
    const all = linesOf(text)
    const { lines: old } = wantedLines(wanted.old)
    const sought = normalise(old).join('\n')
    const places: Splice[] = []
    let free = 0
    let compared = 0
    for (const first of runsLike(all.lines, old)) {
      if (first < free) continue
      compared += old.length
      // None is told from so many that are alike and overlap.
      if (compared > all.lines.length + mostAgain) return []
      if (normalise(all.lines.slice(first, first + old.length)).join('\n') !== sought) continue
      places.push(blockSplice(all, first, old.length, wanted))
      free = first + old.length
    }
    return places
  }

/** Where these lines stand in a row, apart from white space around each. One search in one text is quick. */
function* runsLike(lines: string[], old: string[]): Generator<number> {
  if (old.length === 0) return
  const bare = trimmed(lines)
  const { starts } = linesOf(bare.join('\n'))
  const haystack = `\n${bare.join('\n')}\n`
  const needle = `\n${trimmed(old).join('\n')}\n`
  let line = 0
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    while ((starts[line] ?? at) < at) line++
    yield line
  }
}

const trimmed = (lines: string[]): string[] => lines.map((line) => line.trim())

const squeezed = (text: string): string => text.replace(/\s+/g, ' ')

/** From an offset in the squeezed text to the one in the text; called with growing offsets. */
function originsIn(text: string): (offset: number) => number {
  const runs = text.matchAll(/\s{2,}/g)
  let run = runs.next().value
  let left = 0
  return (offset) => {
    for (; run !== undefined && run.index - left < offset; run = runs.next().value) left += run[0].length - 1
    return offset + left
  }
}

function whiteSpaceNormalised(text: string, wanted: Wanted): Splice[] {
  const old = squeezed(wanted.old).trim()
  if (old === '') return []
  // What surrounds the match stays, so the new text must not repeat it.
  const start = /^\s/.test(wanted.old) ? wanted.new.trimStart() : wanted.new
  const replacement = /\s$/.test(wanted.old) ? start.trimEnd() : start
  const origin = originsIn(text)
  const all = squeezed(text)
  return exact(all, { old, new: replacement })
    .filter(({ start, end }) => isApart(all, start, end, wanted.old))
    .map(({ start, end }) => ({ start: origin(start), end: origin(end - 1) + 1, replacement }))
}

/** Where the old text has white space around it, so must the place, or it would be part of a longer word or number. */
const isApart = (text: string, start: number, end: number, old: string): boolean =>
  (start === 0 || text[start - 1] === ' ' || !/^\s/.test(old)) &&
  (end === text.length || text[end] === ' ' || !/\s$/.test(old))

/** The only way that covers lines which the text asked for doesn't have. */
export const byEnds = 'first and last line'

/** From strict to loose. */
export const strategies: Strategy[] = [
  { name: 'exact', find: exact },
  { name: 'escape sequences normalised', find: escapesNormalised },
  { name: 'lines trimmed', find: byLines(trimmed) },
  { name: 'indentation flexible', find: byLines(withoutCommonIndent) },
  { name: 'white space normalised', find: whiteSpaceNormalised },
  { name: byEnds, find: (text, wanted) => findByAnchors(text, wanted).places },
]
