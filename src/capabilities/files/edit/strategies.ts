import { findByAnchors } from './anchors.ts'
import { blockSplice, linesOf, type Splice, type Wanted, wantedLines, withoutCommonIndent } from './places.ts'

/** A way to find a text: returns all matches that don't overlap, in order. Pure; line ends are LF. */
export interface Strategy {
  name: string
  find(text: string, wanted: Wanted): Splice[]
}

function exact(text: string, wanted: Wanted): Splice[] {
  const places: Splice[] = []
  for (let start = text.indexOf(wanted.old); start >= 0; ) {
    const end = start + wanted.old.length
    places.push({ start, end, replacement: wanted.new })
    start = text.indexOf(wanted.old, end)
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

/** Whole lines, compared after `normalise` has normalised them. */
const byLines =
  (normalise: (lines: string[]) => string[]) =>
  (text: string, wanted: Wanted): Splice[] => {
    const all = linesOf(text)
    const { lines: old } = wantedLines(wanted.old)
    const sought = normalise(old)
    const places: Splice[] = []
    for (let first = 0; old.length > 0 && first + old.length <= all.lines.length; first++) {
      // Most windows already differ in the first line, which is cheap to check.
      if (all.lines[first]?.trim() !== old[0]?.trim()) continue
      const block = normalise(all.lines.slice(first, first + old.length))
      if (!block.every((line, index) => line === sought[index])) continue
      places.push(blockSplice(all, first, old.length, wanted))
      first += old.length - 1
    }
    return places
  }

const trimmed = (lines: string[]): string[] => lines.map((line) => line.trim())

/** The text with each run of white space as one space, and the original offset of each character. */
function squeezed(text: string): { text: string; origins: number[] } {
  const origins: number[] = []
  let result = ''
  for (const { 0: run, index } of text.matchAll(/\s+|\S+/g)) {
    const white = run.trim() === ''
    result += white ? ' ' : run
    for (let step = 0; step < (white ? 1 : run.length); step++) origins.push(index + step)
  }
  return { text: result, origins }
}

function whiteSpaceNormalised(text: string, wanted: Wanted): Splice[] {
  const old = squeezed(wanted.old).text.trim()
  if (old === '') return []
  // What surrounds the match stays, so the new text must not repeat it.
  const start = /^\s/.test(wanted.old) ? wanted.new.trimStart() : wanted.new
  const replacement = /\s$/.test(wanted.old) ? start.trimEnd() : start
  const haystack = squeezed(text)
  return exact(haystack.text, { old, new: replacement }).map((place) => ({
    start: haystack.origins[place.start] ?? 0,
    end: (haystack.origins[place.end - 1] ?? 0) + 1,
    replacement,
  }))
}

/** From strict to loose. */
export const strategies: Strategy[] = [
  { name: 'exact', find: exact },
  { name: 'escape sequences normalised', find: escapesNormalised },
  { name: 'lines trimmed', find: byLines(trimmed) },
  { name: 'indentation flexible', find: byLines(withoutCommonIndent) },
  { name: 'white space normalised', find: whiteSpaceNormalised },
  { name: 'first and last line', find: (text, wanted) => findByAnchors(text, wanted).places },
]
