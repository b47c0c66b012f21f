import { type Args, refuse, violate } from './args.ts'
import { checkAttachments, checkBlocks, type Problem } from './blocks/check.ts'
import { type Block, blocksOf, isObject, type Json, listAt } from './json.ts'
import { mrkdwnOf } from './markdown.ts'
import { renderBlocks } from './render.ts'
import { escapeText, richTextOf } from './rich-text.ts'
import type { World } from './world.ts'

const mostMetadata = 16_000

export interface Content {
  text: string
  blocks: Block[]
  attachments: Json[] | undefined
}

/** As a violation, if there is a problem. */
export function demand(problem: Problem | undefined) {
  if (problem) violate(problem.error, problem.messages)
}

/** The most text of a new message, in characters, and of an edit, in bytes. */
const limits = {
  new: { most: 40_000, size: (text: string) => text.length },
  edit: { most: 4_000, size: (text: string) => Buffer.byteLength(text) },
}

/** The checked content of a message. */
export function contentOf(world: World, args: Args, of: keyof typeof limits): Content {
  const markdown = args.maybe('markdown_text')
  const text = args.maybe('text')
  const blocks = args.json('blocks', 'invalid_blocks_format')
  const attachments = args.json('attachments', 'invalid_attachments')
  if (markdown !== undefined) {
    if (text !== undefined || blocks !== undefined) violate('markdown_text_conflict')
    if (markdown.length > 12_000) violate('msg_too_long', ['[ERROR] must be less than 12001 characters /markdown_text'])
    const said = [{ type: 'markdown', text: markdown }]
    demand(checkBlocks(said, 'message'))
    return { text: mrkdwnOf(markdown), blocks: world.withIds(said), attachments: undefined }
  }
  const { most, size } = limits[of]
  if (text !== undefined && size(text) > most) violate('msg_too_long', [`${size(text)} of ${most}`])
  if (blocks !== undefined) demand(checkBlocks(blocks, 'message'))
  if (attachments !== undefined) demand(checkAttachments(attachments))
  const given = blocksOf(blocks)
  const attached = listAt({ attachments }, 'attachments')
  if (text === undefined && given.length === 0 && attached.length === 0) violate('no_text')
  return {
    text: text ?? escapeText(renderBlocks(given)),
    blocks: given.length > 0 ? world.withIds(given) : text ? [richTextOf(text, world.ids.next('b'))] : [],
    attachments: attachments === undefined ? undefined : attached.map((one, place) => withBlockIds(world, one, place)),
  }
}

const withBlockIds = (world: World, attachment: Json, place: number): Json => ({
  id: place + 1,
  fallback: '[no preview available]',
  ...attachment,
  ...(attachment.blocks !== undefined && { blocks: world.withIds(blocksOf(attachment.blocks)) }),
})

/** Undefined if there is none; an empty object removes the existing one. */
export function metadataOf(args: Args): Json | undefined {
  const metadata = args.object('metadata', 'invalid_metadata_format')
  if (metadata === undefined || Object.keys(metadata).length === 0) return metadata
  const { event_type: type, event_payload: payload } = metadata
  if (typeof type !== 'string' || type === '' || !isObject(payload)) return violate('invalid_metadata_schema')
  const odd = Object.entries(payload).filter(([, value]) => value === null)
  if (odd.length > 0)
    return violate(
      'invalid_metadata_schema',
      odd.map(([key]) => `[ERROR] ${key} is null`),
    )
  if (JSON.stringify(metadata).length > mostMetadata) return violate('metadata_too_large')
  return metadata
}

/** The root that a reply belongs to. */
export function threadOf(world: World, args: Args, channel: string, note: (violation: string) => void) {
  const asked = args.maybe('thread_ts')
  if (asked === undefined) return undefined
  const found = world.channel(channel).messages.get(asked)
  if (!found) return refuse('invalid_thread_ts')
  if (found.threadTs !== undefined && found.threadTs !== found.ts) note(`thread_ts ${asked} is a reply, not a root`)
  return found.threadTs ?? asked
}
