import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, type YAMLMap } from 'yaml'

/** A scalar, as it is written. `isText` is false for what YAML takes for a number, a truth value or nothing. */
export interface WrittenScalar {
  kind: 'scalar'
  text: string
  isText: boolean
}

type WrittenItem = WrittenScalar | { kind: 'other' }

type WrittenList = { kind: 'list'; items: WrittenItem[] }

/** A value of the front matter. Lists may be in a mapping; everything else that is deeper is `other`. */
export type Written = WrittenItem | WrittenList | { kind: 'map'; entries: [string, WrittenItem | WrittenList][] }

export interface FrontMatter {
  fields: ReadonlyMap<string, { value: Written; line: number }>
  /** What follows it, without blank lines at both ends. */
  body: string
  /** The line of the file on which the body begins, from 1. */
  bodyLine: number
}

export type FrontMatterFault = { fault: string; line: number }

/** No skill has more; a parser shouldn't be given more of a stranger's YAML. */
const mostBytes = 65_536

/**
 * Reads the front matter of a SKILL.md. Only plain mappings, lists and scalars: no anchors, aliases, tags or merge
 * keys, so a few lines can't become a large document.
 */
export function readFrontMatter(text: string): FrontMatter | FrontMatterFault {
  const whole = text.replace(/^\ufeff/, '')
  const opening = /^---[ \t]*\r?\n/.exec(whole)?.[0]
  if (opening === undefined) return { fault: 'SKILL.md must start with YAML front matter (---).', line: 1 }
  const closing = /^---[ \t]*\r?$/m.exec(whole.slice(opening.length))
  if (closing === null) return { fault: 'The front matter is not properly closed with ---.', line: 1 }
  const yaml = whole.slice(opening.length, opening.length + closing.index)
  if (yaml.length > mostBytes) return { fault: `The front matter is longer than ${mostBytes} characters.`, line: 1 }
  const after = whole.slice(opening.length + closing.index + closing[0].length)
  const body = after.trim()
  const ahead = whole.length - after.length + (after.length - after.trimStart().length)
  const fields = fieldsOf(yaml)
  if ('fault' in fields) return fields
  return { fields, body, bodyLine: whole.slice(0, ahead).split('\n').length }
}

function fieldsOf(yaml: string): FrontMatter['fields'] | FrontMatterFault {
  const lineCounter = new LineCounter()
  const lineOf = (offset = 0): number => lineCounter.linePos(offset).line + 1
  const documents = parseAllDocuments(yaml, { lineCounter, schema: 'core', prettyErrors: false })
  const [document] = Array.isArray(documents) ? documents : []
  const [error] = document?.errors ?? []
  if (error !== undefined)
    return { fault: `Invalid YAML in the front matter: ${error.message}`, line: lineOf(error.pos[0]) }
  const root = document?.contents
  if (!isMap(root)) return { fault: 'The front matter must be a YAML mapping.', line: 2 }
  const indirect = strangerIn(root)
  if (indirect !== undefined) {
    return { fault: `The front matter has ${indirect.what}, which skills don’t use.`, line: lineOf(indirect.at) }
  }
  const fields = new Map<string, { value: Written; line: number }>()
  for (const { key, value } of (root as YAMLMap<Node, Node>).items) {
    if (!isScalar(key)) return { fault: 'The front matter has a key that is not a word.', line: 2 }
    fields.set(String(key.source ?? key.value), { value: written(value), line: lineOf(key.range?.[0]) })
  }
  return fields
}

/** An anchor, alias or tag anywhere in it. */
function strangerIn(node: unknown): { what: string; at: number | undefined } | undefined {
  if (isPair(node)) return strangerIn(node.key) ?? strangerIn(node.value)
  const one = node as { anchor?: string; tag?: string; source?: unknown; items?: unknown[]; range?: [number] } | null
  if (one === null || typeof one !== 'object') return undefined
  const at = one.range?.[0]
  if (one.anchor !== undefined) return { what: 'an anchor', at }
  if (one.tag !== undefined) return { what: 'a tag', at }
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return { what: 'an alias', at }
  for (const item of one.items ?? []) {
    const found = strangerIn(item)
    if (found !== undefined) return found
  }
  return undefined
}

function written(node: unknown): Written {
  if (!isMap(node)) return listOrItem(node)
  const entries = node.items.map(({ key, value }): [string, WrittenItem | WrittenList] => {
    const name = scalarOrOther(key)
    return [name.kind === 'scalar' ? name.text : '', listOrItem(value)]
  })
  return { kind: 'map', entries }
}

const listOrItem = (node: unknown): WrittenItem | WrittenList =>
  isSeq(node) ? { kind: 'list', items: node.items.map(scalarOrOther) } : scalarOrOther(node)

function scalarOrOther(node: unknown): WrittenItem {
  if (node === null) return { kind: 'scalar', text: '', isText: false }
  if (!isScalar(node)) return { kind: 'other' }
  const isText = typeof node.value === 'string'
  return { kind: 'scalar', text: isText ? String(node.value) : String(node.source ?? ''), isText }
}
