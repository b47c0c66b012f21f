import type { Situation, Upload } from './situation.ts'

const quotes = /"([^"]+)"|“([^”]+)”|「([^」]+)」|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu

/** Everything in quotation marks, in order. */
export const quotedIn = (text: string): string[] =>
  [...text.matchAll(quotes)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '')

export const unquoted = (text: string): string => {
  const trimmed = text.trim()
  const [quoted] = quotedIn(trimmed)
  return quoted !== undefined && trimmed.length === quoted.length + 2 ? quoted : trimmed
}

const fileName = /#?((?:[\p{L}\p{N}_.-]+\/)*[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.[A-Za-z][A-Za-z0-9]{0,5})(?![\p{L}\p{N}])/gu

/** A name as a path: as it is if it has a folder, the newest known file of that name, or one in uploads/. */
function pathOf(name: string, known: Upload[]): string {
  const plain = name.replace(/^#/, '')
  if (/^(uploads|outputs|temp|skills)\//.test(plain)) return plain
  const same = (upload: Upload) =>
    upload.name.toLowerCase() === plain.toLowerCase() || upload.path.toLowerCase().endsWith(`/${plain.toLowerCase()}`)
  return known.findLast(same)?.path ?? `uploads/${plain}`
}

/** The files that a text names, uploads by name (spaces allowed) first, each once. */
export function filesIn(text: string, situation: Situation): string[] {
  const known = situation.uploads.filter(({ name }) => /\s/.test(name) && text.includes(name))
  const rest = known.reduce((left, { name }) => left.replaceAll(name, ' '), text)
  const named = [...rest.matchAll(fileName)].map(([, name = '']) =>
    pathOf(name, [...situation.written, ...situation.uploads]),
  )
  return [...new Set([...known.map(({ path }) => path), ...named])]
}

/** Those of them that there are. The others may be what is to be written. */
export function knownFilesIn(text: string, situation: Situation): string[] {
  const known = new Set([...situation.written, ...situation.uploads].map(({ path }) => path))
  return filesIn(text, situation).filter((path) => known.has(path))
}

/** Where a result goes: a file in outputs/ or temp/ that the text names, or `otherwise`. */
export function outputIn(text: string, otherwise: string): string {
  const folder = text.match(/\b((?:outputs|temp)\/[\p{L}\p{N}_./-]*[\p{L}\p{N}_-])/u)?.[1]
  if (folder !== undefined) return folder
  const named = text.match(
    /\b(?:to|into|as|in|called|named)\s+(?:a\s+file\s+)?(?:called\s+|named\s+)?([\p{L}\p{N}_-]+\.\w{1,5})\b/iu,
  )?.[1]
  return named === undefined ? otherwise : `outputs/${named}`
}

/** "red, green or blue" as a list. */
export const choicesIn = (text: string): string[] =>
  text
    .split(/\s*[,、，;]\s*(?:or\s+|and\s+|还是)?|\s+or\s+|\s+and\s+|\s+vs\.?\s+|还是|或者?/i)
    .map((choice) => unquoted(choice.replace(/[.?!。？！]+$/, '')))
    .filter((choice) => choice !== '')

export const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** As a block of code, with a longer fence if the text contains fences. */
export function fenced(text: string, language = ''): string {
  const fence = text.includes('```') ? '````' : '```'
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

export function firstLines(text: string, count: number): string {
  const lines = text.trimEnd().split('\n')
  return lines.length <= count
    ? lines.join('\n')
    : [...lines.slice(0, count), `… ${lines.length - count} more lines`].join('\n')
}
