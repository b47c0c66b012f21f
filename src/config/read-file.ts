import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { reasonOf } from '../domain/errors.ts'
import type { Complaint } from './config.ts'
import { type ConfigFileName, configFiles } from './schema.ts'

type Values<Name extends ConfigFileName> = z.infer<(typeof configFiles)[Name]>
type Result<Value> = { value: Value } | { complaints: Complaint[] }

interface Source {
  file: string
  document: Document
  lines: LineCounter
}

/**
 * One configuration file: the shipped one, with the team's own laid over it key by key (lists are replaced).
 * Complaints point into the file that holds the faulty value.
 */
export function readConfigFile<Name extends ConfigFileName>(
  name: Name,
  shippedDir: string,
  ownDir: string,
): Result<Values<Name>> {
  const files = [...new Set([join(shippedDir, name), join(ownDir, name)])].filter((file) => existsSync(file))
  const sources: Source[] = []
  for (const file of files) {
    const source = parse(file)
    if (Array.isArray(source)) return { complaints: source }
    sources.push(source)
  }
  const merged = sources.map(({ document }) => document.toJS() ?? {}).reduce(overlay, {})
  const parsed = configFiles[name].safeParse(merged)
  if (parsed.success) return { value: parsed.data as Values<Name> }
  return { complaints: parsed.error.issues.map((issue) => locate(issue, sources)) }
}

function parse(file: string): Source | Complaint[] {
  const lines = new LineCounter()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    return [{ file, message: reasonOf(thrown), remedy: 'Make the file readable, or remove it to use the shipped one.' }]
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length === 0) return { file, document, lines }
  return document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0])
    return { file, line, column: col, message: error.message, remedy: 'Correct the YAML at this place.' }
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function overlay(below: unknown, above: unknown): unknown {
  if (!isRecord(below) || !isRecord(above)) return above ?? below
  const keys = new Set([...Object.keys(below), ...Object.keys(above)])
  return Object.fromEntries([...keys].map((key) => [key, key in above ? overlay(below[key], above[key]) : below[key]]))
}

function locate(issue: z.core.$ZodIssue, sources: Source[]): Complaint {
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey]
  const name = path.join('.') || 'the file'
  const message = unknownKey === undefined ? `${name}: ${issue.message}` : `there is no setting called ${name}`
  const remedy =
    unknownKey === undefined
      ? 'Correct the value; the shipped file in config/ shows one that works.'
      : 'Remove it, or see config/ for how it is spelled.'
  for (const { file, document, lines } of sources.toReversed()) {
    const range = rangeOf(document, path)
    if (range === undefined) continue
    const { line, col } = lines.linePos(range)
    return { file, line, column: col, message, remedy }
  }
  return { file: sources.at(-1)?.file ?? 'config', line: 1, column: 1, message, remedy }
}

/** Where the value of a path stands in a document, as an offset; undefined when the document does not hold it. */
function rangeOf(document: Document, path: PropertyKey[]): number | undefined {
  if (path.length > 0 && !document.hasIn(path)) return undefined
  const node = document.getIn(path, true)
  const range =
    typeof node === 'object' && node !== null && 'range' in node ? (node.range as number[] | null) : undefined
  return range?.[0] ?? 0
}
