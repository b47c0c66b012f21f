import type { JsonObject } from '../json.ts'
import { doneCalls, type PlannedCall, type Situation } from './situation.ts'

export interface ReadText {
  path: string
  text: string
  /** The file continues where we stopped. */
  goesOn: boolean
  /** Of some lines only the beginning was read, with `…` behind it. */
  hasCutLines: boolean
}

/** Said with a file's name where not all of it was read. */
export const partly = ({ goesOn, hasCutLines }: ReadText): string =>
  goesOn || hasCutLines ? ' (only a part of it was read)' : ''

type Reading = { calls: PlannedCall[] } | { texts: ReadText[]; failed: { path: string; reason: string }[] }

/** How many pages of one file are read before its beginning has to do. */
const maxPages = 4

const numbered = /^\s*(\d+)(?:\t|(?:→|\s*\||:) ?)(.*)$/

/** Where read_file continues. */
type Next = { offset?: number; part?: string }

const documentNote = /\n\n\[(?:[^\n]*read on with part "([^"\n]{1,20})"(?: and offset (\d+))?)?[^\n]*\]$/

/** Behind the beginning of a line, as read_file says it. */
const lineCut = /… \[line cut: it has [\d,]+ (?:byte|character)s?; read on with [^\]\n]{1,100}\]$/gm

/** A page of read_file without its line numbers and notes, and where to continue, if it says so. */
function plainPage(result: string): { text: string; next?: Next } {
  // An empty file has a note, and no lines.
  if (/^\[[^\n]*\]$/.test(result)) return { text: '' }
  const note = documentNote.exec(result)
  if (note !== null) {
    const text = result.slice(0, note.index).replace(/^--- .* ---$\n?/gm, '')
    const [, part, offset] = note
    return { text, ...(part !== undefined && { next: { part, ...(offset && { offset: Number(offset) }) } }) }
  }
  const lines = result.split('\n')
  const matches = lines.map((line) => line.match(numbered))
  const isNumbered = matches[0] !== null && matches.filter((match) => match !== null).length >= lines.length / 2
  const notes = lines.filter((_, place) => matches[place] === null).join('\n')
  const next = (isNumbered ? notes : lines.slice(-3).join('\n')).match(/\boffset\W{0,4}(\d+)/i)?.[1]
  const kept = isNumbered ? matches.flatMap((match) => (match ? [match[2] ?? ''] : [])) : lines
  return { text: kept.join('\n'), ...(next !== undefined && { next: { offset: Number(next) } }) }
}

function pagesOf(path: string, situation: Situation) {
  const reads = doneCalls(situation, 'read_file').filter(({ input }) => input.path === path)
  const failed = reads.find(({ outcome }) => outcome.kind !== 'done')
  const pages = reads.filter(({ outcome }) => outcome.kind === 'done').map(({ outcome }) => plainPage(outcome.text))
  const shown = pages.map(({ text }) => text).join('\n')
  const text = shown.replace(lineCut, '…')
  return { path, failed, pages: pages.length, text, hasCutLines: text !== shown, next: pages.at(-1)?.next }
}

/** Separated values are used as they are. */
const isRaw = (path: string): boolean => /\.[ct]sv$/i.test(path)

/**
 * Reads files, all at once and page by page: returns either the calls that remain, or their results. `raw`: as they
 * are, not as a document is shown.
 */
export function reading(paths: string[], situation: Situation, { raw = false } = {}): Reading {
  const inputFor = (path: string): JsonObject => (raw || isRaw(path) ? { path, raw: true } : { path })
  const files = paths.map((path) => pagesOf(path, situation))
  const calls = files.flatMap(({ path, failed, pages, next }): PlannedCall[] => {
    if (failed !== undefined || pages >= maxPages) return []
    if (pages === 0) return [{ name: 'read_file', input: inputFor(path) }]
    return next === undefined ? [] : [{ name: 'read_file', input: { ...inputFor(path), ...next } }]
  })
  if (calls.length > 0) return { calls }
  return {
    texts: files
      .filter(({ failed }) => failed === undefined)
      .map(({ path, text, hasCutLines, next }) => ({ path, text, hasCutLines, goesOn: next !== undefined })),
    failed: files.flatMap(({ path, failed }) => (failed ? [{ path, reason: failed.outcome.text }] : [])),
  }
}
