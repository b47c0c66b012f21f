import { announcePost } from '../announce.ts'
import { type Args, refuse, violate } from '../args.ts'
import { checkBlocks } from '../blocks/check.ts'
import { demand, threadOf } from '../content.ts'
import { fileObject } from '../file-objects.ts'
import { makeFile } from '../files.ts'
import { type Block, blocksOf, isObject, type Json, stringAt } from '../json.ts'
import { type Methods, writable } from '../method.ts'
import type { Slack } from '../slack.ts'
import type { StoredFile } from '../types.ts'
import { answered, rootBefore } from './chat.ts'

function uploadUrl(slack: Slack, args: Args): Json {
  const length = Number(args.text('length'))
  if (!Number.isInteger(length) || length <= 0) return violate('missing_argument', ['[ERROR] length'])
  if ((args.maybe('alt_txt') ?? args.maybe('alt_text') ?? '').length > 1_000) return violate('alt_txt_too_large')
  const file = makeFile(slack.world, slack.world.bot.id, { name: args.text('filename'), content: '' })
  const key = slack.world.ids.next('up')
  slack.uploads.set(key, { file: file.id, length })
  return { upload_url: `${slack.origin()}/upload/v1/${key}`, file_id: file.id }
}

function share(slack: Slack, files: StoredFile[], place: Json, said: { text: string; blocks: Block[] }) {
  const { world } = slack
  const channel = stringAt(place, 'channel')
  const threadTs = stringAt(place, 'threadTs') || undefined
  const before = rootBefore(slack, channel, threadTs)
  const bot = { user: world.bot.id, bot: world.bot }
  const message = world.store({ channel, ...bot, ...said, files, threadTs, subtype: 'file_share' })
  for (const file of files) file.shares.push({ channel, ts: message.ts, threadTs })
  announcePost(slack, message)
  answered(slack, message, before)
  world.changed()
}

/** The response comes right away, and the message with the files a little later, as on Slack. */
function complete(slack: Slack, args: Args): Json {
  const { world } = slack
  const given = args.json('files')
  if (!Array.isArray(given) || given.length === 0) return violate('invalid_arguments', ['[ERROR] files'])
  const files = given.filter(isObject).map((one) => {
    const file = world.files.get(stringAt(one, 'id'))
    if (!file || file.deleted) return refuse('file_not_found')
    if (typeof one.title === 'string') file.title = one.title
    return file
  })
  for (const { id } of files) slack.events.tell({ type: 'file_created', file_id: id, file: { id } }, undefined)
  const blocks = args.json('blocks')
  if (blocks !== undefined) demand(checkBlocks(blocks, 'message'))
  const to = args.maybe('channel_id') ?? args.maybe('channels')
  if (to !== undefined) {
    const channel = writable(slack, to)
    const note = (one: string) => slack.violations.push(`files.completeUploadExternal: ${one}`)
    const threadTs = threadOf(world, args, channel.id, note)
    const comment = args.maybe('initial_comment') ?? ''
    const said = { text: comment, blocks: comment === '' ? world.withIds(blocksOf(blocks)) : [] }
    const place = { channel: channel.id, threadTs }
    setTimeout(() => share(slack, files, place, said), slack.settings.fileShareMs).unref()
  }
  return { files: files.map((file) => fileObject(world, slack.origin(), file)) }
}

function found({ world }: Slack, args: Args): StoredFile {
  const file = world.files.get(args.text('file'))
  if (!file) return refuse('file_not_found')
  return file.deleted ? refuse('file_deleted') : file
}

function info(slack: Slack, args: Args): Json {
  const whole = fileObject(slack.world, slack.origin(), found(slack, args))
  const file = slack.settings.listsShares ? whole : { ...whole, shares: {}, channels: [], groups: [], ims: [] }
  return { file, comments: [], response_metadata: { next_cursor: '' } }
}

function remove(slack: Slack, args: Args): Json {
  const file = found(slack, args)
  if (file.owner !== slack.world.bot.id) return refuse('cant_delete_file')
  file.deleted = true
  file.content = Buffer.alloc(0)
  return {}
}

export const fileMethods: Methods = {
  'files.getUploadURLExternal': {
    scopes: ['files:write'],
    tier: 4,
    args: ['filename', 'length', 'alt_txt', 'alt_text', 'snippet_type'],
    run: uploadUrl,
  },
  'files.completeUploadExternal': {
    scopes: ['files:write'],
    tier: 4,
    args: ['files', 'channel_id', 'channels', 'thread_ts', 'initial_comment', 'blocks'],
    run: complete,
  },
  'files.info': { scopes: ['files:read'], tier: 4, args: ['file', 'count', 'cursor', 'limit', 'page'], run: info },
  'files.delete': { scopes: ['files:write'], tier: 3, args: ['file'], run: remove },
}
