import type { z } from 'zod'
import { type Block, blocksOf, isObject, type Json, listAt, stringAt } from '../json.ts'
import { chunk, messageBlock, viewBlock } from './blocks.ts'

/** How Slack would refuse it: the error code, and the texts of `response_metadata.messages`. */
export interface Problem {
  error: string
  messages: string[]
}

export type Surface = 'message' | 'modal' | 'home'

/** The limit for all texts in a message's blocks together: undocumented, measured in slackapi/bolt-js#2509. */
const mostText = 13_200
const mostTableText = 10_000

const pointer = (path: readonly PropertyKey[]) => `[json-pointer:/${path.map(String).join('/')}]`

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key as string], root)

/** In Slack's own words, as far as they are known. */
function wordsOf(issue: z.core.$ZodIssue, root: unknown): string {
  const at = pointer(issue.path)
  const last = String(issue.path.at(-1))
  if (issue.code === 'unrecognized_keys') return `invalid additional property: ${issue.keys.join(', ')} ${at}`
  if (issue.code === 'invalid_union' && last === 'type') {
    return `unsupported type: ${String(valueAt(root, issue.path))} ${pointer(issue.path.slice(0, -1))}`
  }
  if (issue.code === 'invalid_type' && valueAt(root, issue.path) === undefined) {
    return `missing required field: ${last} ${pointer(issue.path.slice(0, -1))}`
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'array') return `no more than ${issue.maximum} items allowed ${at}`
    if (issue.origin === 'string') return `must be less than ${Number(issue.maximum) + 1} characters ${at}`
  }
  if (issue.code === 'too_small') {
    if (issue.origin === 'array') return `must be at least ${issue.minimum} items ${at}`
    if (issue.origin === 'string') return `must be more than ${Number(issue.minimum) - 1} characters ${at}`
  }
  return `${issue.message} ${at}`
}

export function problemsOf(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): string[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) return []
  const root = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return parsed.error.issues.map((issue) => wordsOf({ ...issue, path: [...path, ...issue.path] }, root))
}

/** Every object in a tree, with its place. */
function* objectsIn(value: unknown, path: PropertyKey[]): Generator<{ value: Json; path: PropertyKey[] }> {
  if (Array.isArray(value)) {
    for (const [place, one] of value.entries()) yield* objectsIn(one, [...path, place])
  } else if (isObject(value)) {
    yield { value, path }
    for (const [key, one] of Object.entries(value)) {
      if (typeof one === 'object') yield* objectsIn(one, [...path, key])
    }
  }
}

/** Rules for one object that the schemas can't express. */
function oddIn({ value, path }: { value: Json; path: PropertyKey[] }, surface: Surface): string | undefined {
  const has = (...keys: string[]) => keys.some((key) => value[key] !== undefined)
  const both = (one: string, other: string) => has(one) && has(other)
  const missing = (what: string) => `missing required field: ${what} ${pointer(path)}`
  switch (value.type) {
    case 'section':
      return has('text', 'fields') ? undefined : missing('text or fields')
    case 'card':
      return has('hero_image', 'title', 'actions', 'body') ? undefined : missing('title or body')
    case 'container':
      return has('title', 'rich_text_title') ? undefined : missing('title')
    case 'image':
      if (both('image_url', 'slack_file')) return `image_url and slack_file exclude each other ${pointer(path)}`
      return has('image_url', 'slack_file') ? undefined : missing('image_url')
    case 'static_select':
    case 'multi_static_select':
      if (both('options', 'option_groups')) return `options and option_groups exclude each other ${pointer(path)}`
      return has('options', 'option_groups') ? undefined : missing('options')
    case 'file_input':
      return surface === 'modal' ? undefined : `unsupported type: file_input ${pointer(path)}`
    default:
      return undefined
  }
}

/** Ids of blocks must be unique in a message, and ids of actions within their block. */
function twice(blocks: Block[], path: PropertyKey[]): string[] {
  const found: string[] = []
  const blockIds = new Set<string>()
  for (const [place, block] of blocks.entries()) {
    if (block.block_id !== undefined && blockIds.has(block.block_id)) {
      found.push(`block_id "${block.block_id}" already exists ${pointer([...path, place])}`)
    }
    if (block.block_id !== undefined) blockIds.add(block.block_id)
    const actionIds = new Set<string>()
    for (const { value, path: at } of objectsIn(block, [...path, place])) {
      if (typeof value.action_id !== 'string') continue
      if (actionIds.has(value.action_id)) {
        found.push(`action_id "${value.action_id}" already exists ${pointer(at)}`)
      }
      actionIds.add(value.action_id)
    }
  }
  return found
}

const cellText = (cell: Json): number =>
  [...objectsIn(cell, [])].reduce((sum, { value }) => sum + stringAt(value, 'text').length, 0)

/** Tables of Markdown become table blocks, so they count too. Fenced code is no table. */
function markdownTables(text: string): number {
  const outside = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
  return outside.match(/^ {0,3}\|?.*\|.*\n {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm)?.length ?? 0
}

function tableProblem(blocks: Block[]): Problem | undefined {
  const tables = blocks.flatMap((block) => (block.type === 'container' ? blocksOf(block.child_blocks) : [block]))
  const native = tables.filter(({ type }) => type === 'table' || type === 'data_table')
  const written = blocks
    .filter(({ type }) => type === 'markdown')
    .reduce((sum, block) => sum + markdownTables(stringAt(block, 'text')), 0)
  if (native.length + written > 1) return { error: 'invalid_attachments', messages: ['only_one_table_allowed'] }
  const characters = native
    .flatMap((table) => (Array.isArray(table.rows) ? table.rows.flat() : []))
    .reduce((sum: number, cell) => sum + cellText(cell as Json), 0)
  if (characters <= mostTableText) return undefined
  return { error: 'invalid_blocks', messages: [`table cells have ${characters} characters, ${mostTableText} allowed`] }
}

const textOf = (blocks: Block[]): number =>
  [...objectsIn(blocks, [])].reduce((sum, { value }) => sum + stringAt(value, 'text').length, 0)

const asProblem = (messages: string[], error = 'invalid_blocks'): Problem | undefined =>
  messages.length === 0 ? undefined : { error, messages: messages.map((one) => `[ERROR] ${one}`) }

/** The blocks of a message or of a view, as Slack checks them; `at` is where they stand in the arguments. */
export function checkBlocks(value: unknown, surface: Surface, at: PropertyKey[] = ['blocks']): Problem | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) {
    return { error: 'invalid_blocks_format', messages: [`[ERROR] expected an array of blocks ${pointer(at)}`] }
  }
  const most = surface === 'message' ? 50 : 100
  if (value.length > most) return asProblem([`no more than ${most} items allowed ${pointer(at)}`])
  const schema = surface === 'message' ? messageBlock : viewBlock
  const found = value.flatMap((block, place) => problemsOf(schema, block, [...at, place]))
  if (found.length > 0) return asProblem(found)
  const blocks = blocksOf(value)
  const odd = [...objectsIn(blocks, at)].flatMap((place) => oddIn(place, surface) ?? [])
  const rest = asProblem([...odd, ...twice(blocks, at)])
  if (rest || surface !== 'message') return rest
  if (textOf(blocks) > mostText) {
    return { error: 'msg_blocks_too_long', messages: [`blocks have ${textOf(blocks)} characters`] }
  }
  return tableProblem(blocks)
}

/** `attachments`: only their blocks are checked. */
export function checkAttachments(value: unknown): Problem | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return { error: 'invalid_attachments', messages: [] }
  if (value.length > 100) return { error: 'too_many_attachments', messages: [] }
  for (const [place, attachment] of value.entries()) {
    if (attachment.blocks === undefined) continue
    const problem = checkBlocks(attachment.blocks, 'message', ['attachments', place, 'blocks'])
    if (problem) return problem
  }
  return undefined
}

/** The chunks of a stream: the text limit is per chunk, and tables are not counted. */
export function checkChunks(value: unknown): Problem | undefined {
  if (!Array.isArray(value)) return { error: 'invalid_chunks', messages: ['[ERROR] expected an array'] }
  const found = value.flatMap((one, place) => problemsOf(chunk, one, ['chunks', place]))
  if (found.length > 0) return asProblem(found, 'invalid_chunks')
  for (const [place, one] of listAt({ value }, 'value').entries()) {
    if (one.type === 'markdown_text' && stringAt(one, 'text').length > 12_000) {
      return { error: 'msg_too_long', messages: [`[ERROR] must be less than 12001 characters /chunks/${place}/text`] }
    }
    const problem = one.type === 'blocks' && checkBlocks(one.blocks, 'message', ['chunks', place, 'blocks'])
    if (problem) return problem
  }
  return undefined
}
