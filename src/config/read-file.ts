import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { reasonOf } from '../kit/failure.ts'
import { nearestName } from '../kit/nearest.ts'
import { decode } from '../kit/text/plain-text.ts'
import type { Complaint } from './config.ts'
import { isRecord, overlay } from './overlay.ts'
import { type ConfigFileName, configFiles } from './schema.ts'
import { configWords } from './words.ts'

type Values<Name extends ConfigFileName> = z.infer<(typeof configFiles)[Name]>
/** Where a value is, or its key, for complaints that only its reader can make. */
export type PlaceOf = (path: PropertyKey[], atKey?: boolean) => Place

/** `values` is what the files contain; `value` what the schema makes of it. */
type Result<Value> = { value: Value; values: unknown; placeOf: PlaceOf } | { complaints: Complaint[] }

interface Source {
  file: string
  document: Document
  values: unknown
  lines: LineCounter
}

/** A place in a file, counted from 1. */
type Place = Pick<Complaint, 'file' | 'line' | 'column'>

/**
 * Reads one configuration file: the shipped one, with the team's own merged over it key by key (lists are replaced).
 * Complaints point into the file that has the faulty value.
 */
export const readConfigFile = <Name extends ConfigFileName>(
  name: Name,
  shippedDir: string,
  ownDir: string,
  schema: z.ZodType = configFiles[name],
): Result<Values<Name>> => readFileWith<Values<Name>>(name, shippedDir, ownDir, schema)

/** The same for a file of a capability. */
export function readFileWith<Value>(
  name: string,
  shippedDir: string,
  ownDir: string,
  schema: z.ZodType,
): Result<Value> {
  // One that is listed but can't be reached, such as a link to nothing, is a complaint: its rules must not fall away.
  const own = readdirSync(ownDir).includes(name) ? [join(ownDir, name)] : []
  const files = new Set([join(shippedDir, name), ...own])
  const sources: Source[] = []
  for (const file of files) {
    const source = parse(file)
    if (Array.isArray(source)) return { complaints: source }
    sources.push(source)
  }
  const merged = sources
    .map(({ values }) => values)
    .reduce((below, above) => joined(below, overlay(below, above), above), {})
  // Compiling a parser costs more than it saves on a file that is read once.
  const parsed = schema.safeParse(merged, { jitless: true })
  if (parsed.success) {
    const found: PlaceOf = (path, atKey = false) => placeOf(path, atKey, sources)
    return { value: parsed.data as Value, values: merged, placeOf: found }
  }
  const complaints = parsed.error.issues.flatMap((issue) => located(issue, sources))
  return { complaints: complaints.filter((one, at) => complaints.findIndex((other) => isSame(one, other)) === at) }
}

function parse(file: string): Source | Complaint[] {
  const lines = new LineCounter()
  let text: string
  try {
    text = decode(readFileSync(file)).text
  } catch (thrown) {
    return [{ file, message: reasonOf(thrown), remedy: configWords.unreadableFileRemedy() }]
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [fault] = document.errors
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0])
    return [{ file, line, column: col, message: fault.message, remedy: configWords.brokenYamlRemedy() }]
  }
  try {
    return { file, document, values: document.toJS() ?? {}, lines }
  } catch (thrown) {
    const { line, col } = lines.linePos(firstAlias(document))
    const remedy = configWords.aliasesRemedy()
    return [{ file, line, column: col, message: reasonOf(thrown), remedy }]
  }
}

/** Where the first undefined alias is, or else the first alias. */
function firstAlias(document: Document): number {
  const aliases: { offset: number; means: boolean }[] = []
  visit(document, {
    Alias: (_, alias) =>
      void aliases.push({ offset: alias.range?.[0] ?? 0, means: alias.resolve(document) !== undefined }),
  })
  return (aliases.find(({ means }) => !means) ?? aliases[0])?.offset ?? 0
}

/**
 * Lists that protect: a team's own items go before the shipped ones, unless its file names the list in `replaces`.
 * Adding a rule must not switch off the others by accident.
 */
const protecting = ['commands', 'addresses', 'everywhere'] as const

function joined(below: unknown, merged: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(merged) || !isRecord(above)) return merged
  const replaces = Array.isArray(above.replaces) ? above.replaces : []
  const lists = protecting.flatMap((name) => {
    const [shipped, own] = [below[name], above[name]]
    return Array.isArray(shipped) && Array.isArray(own) && !replaces.includes(name)
      ? [[name, [...own, ...shipped]]]
      : []
  })
  return { ...merged, ...Object.fromEntries(lists) }
}

const isSame = (one: Complaint, other: Complaint): boolean =>
  one.message === other.message && one.line === other.line && one.file === other.file

/** One complaint per unknown key. */
function located(issue: z.core.$ZodIssue, sources: Source[]): Complaint[] {
  if (issue.code !== 'unrecognized_keys') return [atValue(issue, sources)]
  const shipped = shippedAt(issue.path, sources)
  const known = isRecord(shipped) ? Object.keys(shipped) : []
  return issue.keys.map((key) => ({
    ...placeOf([...issue.path, key], true, sources),
    message: `there is no setting called ${[...issue.path, key].join('.')}`,
    remedy: unknownRemedy(key, known),
  }))
}

export function unknownRemedy(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known)
  return meant === undefined ? configWords.unknownSettingRemedy() : configWords.misspeltRemedy({ meant })
}

function atValue(issue: z.core.$ZodIssue, sources: Source[]): Complaint {
  const { code, path, message } = issue
  const place = placeOf(path, false, sources)
  const name = path.join('.') || 'the file'
  if (code === 'invalid_type' && message.endsWith('received undefined'))
    return { ...place, message: configWords.missing({ name }), remedy: configWords.missingRemedy() }
  // YAML 1.2 reads yes, no, on and off as text.
  if (issue.code === 'invalid_type' && issue.expected === 'boolean')
    return { ...place, message: `${name}: ${message}`, remedy: configWords.booleanRemedy() }
  // What the shipped file leaves out, or has only as a comment, is no help.
  const isShown = sources.length > 1 && shippedAt(path, sources) !== undefined
  const remedy = isShown ? configWords.invalidValueRemedy() : configWords.invalidOwnRemedy()
  return { ...place, message: `${name}: ${message}`, remedy }
}

/** What the shipped file has at this place. Undefined, too, for an empty entry. */
const shippedAt = (path: readonly PropertyKey[], [shipped]: Source[]): unknown =>
  path.reduce<unknown>(
    (within, key) => (typeof within === 'object' ? (within as Record<PropertyKey, unknown> | null)?.[key] : undefined),
    shipped?.values,
  ) ?? undefined

/** The topmost file that contains a path, and where; `atKey` for the key instead of its value. */
function placeOf(path: PropertyKey[], atKey: boolean, sources: Source[]): Place {
  for (const { file, document, lines } of sources.toReversed()) {
    const offset = atKey ? keyOffset(document, path) : (valueOffset(document, path) ?? listItemOffset(document, path))
    if (offset === undefined) continue
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  // A missing value is reported at the section around it.
  if (path.length > 1) return placeOf(path.slice(0, -1), true, sources)
  return { file: sources.at(-1)?.file ?? 'config', line: 1, column: 1 }
}

/** A value missing in a list item is reported at the item, because lists aren't merged with the files below. */
function listItemOffset(document: Document, path: PropertyKey[]): number | undefined {
  const item = path.findLastIndex((part) => typeof part === 'number')
  return item === -1 ? undefined : valueOffset(document, path.slice(0, item + 1))
}

function valueOffset(document: Document, path: PropertyKey[]): number | undefined {
  if (path.length > 0 && !document.hasIn(path)) return undefined
  const node = document.getIn(path, true)
  return isNode(node) ? (node.range?.[0] ?? 0) : 0
}

function keyOffset(document: Document, path: PropertyKey[]): number | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  if (!isMap(parent)) return undefined
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
  return pair && isScalar(pair.key) ? pair.key.range?.[0] : undefined
}
