/*
 * How the program tells the model who says what: `[Ana] …` begins a person's words, `[The program] …` its own, and
 * `<data>` and `<system_reminder>` hold everything else. Nothing that others write may look like one of these, to an
 * eye or to a tokenizer. That includes full-width brackets and letters, line breaks of any kind, and invisible
 * characters.
 */

/** Every line break that Unicode knows. */
const lineBreaks = '\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029'
const breaks = new RegExp(`\\r\\n|[${lineBreaks}]`)
/** Characters that are invisible, or look like a space. */
const unseen = '\\p{C}\\p{Default_Ignorable_Code_Point}\\p{M}\\s\\u2800'
const opening = '\\[［﹇⁅【〔〖〘〚⟦⦋⦍⦏❲'
const beginsWithBracket = new RegExp(`^[${unseen}]*[${opening}]`, 'u')
const beginsWithName = new RegExp(`^[${unseen}]*[${opening}][^\\n\\]］﹈]{1,200}[\\]］﹈][${unseen}]`, 'u')
const indent = new RegExp(`^[${unseen}]*`, 'u')

/**
 * One person's text, in which no further line can begin as if another person spoke: such a line is indented by a space.
 */
export const ofOnePerson = (text: string): string => movedIn(text, beginsWithBracket)

/** Data among a person's words: only lines that look exactly like the beginning of somebody's words are indented. */
export const ofNobody = (text: string): string => movedIn(`\n${text}`, beginsWithName).slice(1)

/** One message in a list of them: its further lines are indented, so that none looks like another one's beginning. */
export const ofOneMessage = (text: string): string => text.split(breaks).join('\n  ')

function movedIn(text: string, isSuspect: RegExp): string {
  const [first = '', ...rest] = text.split(breaks)
  const lines = rest.map((line) => (isSuspect.test(line) && !isMovedIn(line) ? ` ${line}` : line))
  return [first, ...lines].join('\n')
}

const isMovedIn = (line: string): boolean => (indent.exec(line)?.[0] ?? '').normalize('NFKC').includes(' ')

/** Somebody else's text, in which nothing passes for the program speaking to the model. */
export function notThePrograms(text: string): string {
  const plain = text.replace(/\[(\s{0,9}the\s{1,9}program\s{0,9})\]/gi, '($1)')
  return /[［﹇]|\[[\sa-z]{0,24}[^\t\n\x20-\x7e]/i.test(plain)
    ? changed(plain, /\[\s{0,9}the\s{0,9}program\s{0,9}\]/g, '(', ')')
    : plain
}

/** Nobody but the program itself writes reminders. */
export const withoutReminders = (text: string): string =>
  broken(text.replace(/<(\/?)system_reminder/gi, '<$1quoted_reminder'), /<\s{0,9}(?:\/\s{0,9})?system_?reminder/g)

/** Text in which nothing closes the data marks or opens others. */
export const withoutFences = (text: string): string =>
  broken(text.replace(/<(\/?)data\b/gi, '<$1quoted_data'), /<(?:\s{0,9}\/\s{0,9})?data(?![a-z0-9_-])/g)

/** Breaks the beginning of such a tag, even in disguise. */
const broken = (text: string, tag: RegExp): string =>
  /[＜﹤]|<[\s/a-z_]{0,24}[^\t\n\x20-\x7e]|<\s{0,9}\/\s|<\s{1,9}\//i.test(text) ? changed(text, tag, '(') : text

/** Replaces the first and the last character of whatever reads like the pattern. */
function changed(text: string, pattern: RegExp, first: string, last?: string): string {
  const characters = text.split('')
  for (const [start, end] of found(text, pattern)) {
    characters[start] = first
    if (last !== undefined) characters[end] = last
  }
  return characters.join('')
}

const isUnseen = /^(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}\p{M}\u2800]$/u

/**
 * Where the text reads like the pattern once it is in lower case, in its plainest form and without invisible
 * characters: first and last offsets.
 */
function found(text: string, pattern: RegExp): [start: number, end: number][] {
  const places: number[] = []
  let bare = ''
  let at = 0
  for (const character of text) {
    const plain = character <= '~' ? character.toLowerCase() : undisguised(character)
    bare += plain
    for (let unit = 0; unit < plain.length; unit++) places.push(at)
    at += character.length
  }
  return [...bare.matchAll(pattern)].map(({ 0: match, index }) => [
    places[index] ?? 0,
    places[index + match.length - 1] ?? 0,
  ])
}

const undisguised = (character: string): string =>
  isUnseen.test(character) ? '' : character.normalize('NFKC').toLowerCase()

/** In quotes, and on one line whatever it contains. */
export const quotedLine = (text: string): string =>
  JSON.stringify(text).replace(
    /(?!\u200c|\u200d)[\x7f-\x9f\p{Zl}\p{Zp}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
