import { basename } from 'node:path'
import { quoted } from '../../kit/text/quoted.ts'
import { unspaced } from '../../kit/text/unspaced.ts'
import { nameKey } from '../../workspace/names.ts'

/** What `#name` in a text means. */
export interface NamedFiles<Entry> {
  /** In the order they are named; all of them, if several files have the name. */
  found: { name: string; entry: Entry }[]
  /** Names that look like a file but aren't one, with the paths of similar files, the most similar first. */
  unknown: { name: string; nearest: string[] }[]
}

/** Limits of the work on one text. */
const mostMarks = 200
const mostCharacters = 300
const mostAlike = 5
const mostUnknown = 5
const mostNearest = 3

/** With a `#`, or the wide one of Chinese and Japanese keyboards. */
export const namesFiles = (text: string): boolean => /[#＃]/.test(text)

/** Names may contain spaces, so the longest existing name or path after a `#` is meant. */
export function namedFiles<Entry extends { path: string }>(text: string, entries: Entry[]): NamedFiles<Entry> {
  const found = new Map<Entry, string>()
  const unknown = new Map<string, Unknown>()
  const byName = namesFiles(text) ? entriesByName(entries) : new Map<string, Entry[]>()
  let marks = 0
  for (const { index: at } of text.matchAll(/[#＃]/g)) {
    if (++marks > mostMarks) break
    const rest = text.slice(at + 1, at + 1 + mostCharacters)
    const name = longestName(rest, (key) => byName.has(key))
    if (name !== undefined) for (const entry of byName.get(nameKey(name)) ?? []) found.set(entry, name)
    else if (unknown.size < mostUnknown) note(unknown, rest)
  }
  const nearest = unknown.size > 0 ? nearestTo(entries) : () => []
  return {
    found: [...found].map(([entry, name]) => ({ name, entry })),
    unknown: [...unknown.values()].flatMap((one) => meant(one, nearest)),
  }
}

/** Tells the model which files exist that resemble a name that doesn't. */
export const unknownLines = ({ unknown }: NamedFiles<unknown>): string[] =>
  unknown.map(({ name, nearest }) => {
    const instead = nearest.length === 0 ? '' : ` The nearest names: ${nearest.map(quoted).join(', ')}.`
    return `There is no file ${quoted(`#${name}`)} in the workspace.${instead}`
  })

function entriesByName<Entry extends { path: string }>(entries: Entry[]): Map<string, Entry[]> {
  const byName = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const name of new Set([entry.path, basename(entry.path)].map(nameKey))) {
      const alike = byName.get(name) ?? []
      if (alike.length < mostAlike) alike.push(entry)
      byName.set(name, alike)
    }
  }
  return byName
}

function longestName(rest: string, exists: (key: string) => boolean): string | undefined {
  // Folded once, because folding piece by piece would be slow.
  const key = nameKey(rest)
  for (let end = key.length; end > 0; end--) {
    if (!exists(key.slice(0, end)) || !isEnd(key.slice(0, end), key.charAt(end))) continue
    return key.length === rest.length ? rest.slice(0, end) : key.slice(0, end)
  }
  return undefined
}

/** Whether no longer word goes on: also if another begins there, as in `a.pdf-Datei`, `a.pdf里` and `a里`. */
function isEnd(name: string, next: string): boolean {
  if (!/[\p{L}\p{N}_-]/u.test(next)) return true
  if (hasEnding(name)) return !/[a-z0-9_]/i.test(next)
  return unspaced.test(next) && !unspaced.test(name.slice(-1))
}

/** What may have been meant: the word after the mark, and the longer text if the name may contain spaces. */
interface Unknown {
  word: string
  phrase: string | undefined
}

function note(unknown: Map<string, Unknown>, rest: string): void {
  const word = /^[^\s#＃,;:!?()<>[\]{}"'`|]{3,120}/.exec(rest)?.[0]?.replace(/[.]{1,20}$/, '')
  // A number, a colour or a heading isn't a file.
  if (word === undefined || /^([0-9.]+|[0-9a-f]{3,8})$/i.test(word)) return
  const phrase = hasEnding(word) ? undefined : /^[^\n#＃]{1,80}?\.[a-z][a-z0-9]{0,7}(?![a-z0-9_])/i.exec(rest)?.[0]
  unknown.set(nameKey(phrase ?? word), { word, phrase })
}

function meant({ word, phrase }: Unknown, nearest: (name: string) => string[]) {
  for (const name of phrase === undefined ? [word] : [phrase, word]) {
    const found = nearest(name)
    if (found.length > 0) return [{ name, nearest: found }]
  }
  return hasEnding(word) ? [{ name: word, nearest: [] }] : []
}

const hasEnding = (name: string): boolean => /[^.]\.[a-z][a-z0-9]{0,7}$/i.test(name)

/** Compares pairs of letters in the names, without their extensions. */
function nearestTo(entries: { path: string }[]): (name: string) => string[] {
  const known = entries.map(({ path }) => ({ path, pairs: pairsOf(path) }))
  return (name) => {
    const own = pairsOf(name)
    return known
      .map(({ path, pairs }) => ({ path, likeness: likeness(own, pairs) }))
      .filter((one) => one.likeness >= 0.6)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, mostNearest)
      .map(({ path }) => path)
  }
}

const stemOf = (name: string): string => (hasEnding(name) ? name.slice(0, name.lastIndexOf('.')) : name)

const pairsOf = (path: string): Set<string> => {
  const key = nameKey(stemOf(basename(path)))
  return new Set(Array.from({ length: Math.max(0, key.length - 1) }, (_, at) => key.slice(at, at + 2)))
}

/** From 0, nothing in common, to 1. */
function likeness(one: Set<string>, other: Set<string>): number {
  let shared = 0
  for (const pair of one) if (other.has(pair)) shared++
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size)
}
