import { compact, type Json } from './json.ts'
import type { StoredFile } from './types.ts'
import type { World } from './world.ts'

const shareOf = (world: World, file: StoredFile) => {
  const places: Record<'public' | 'private', Record<string, Json[]>> = { public: {}, private: {} }
  for (const { channel, ts, threadTs } of file.shares) {
    const place = places[world.channel(channel).kind === 'public' ? 'public' : 'private']
    place[channel] ??= []
    place[channel].push(
      compact({
        reply_users: [],
        reply_users_count: 0,
        reply_count: 0,
        ts,
        thread_ts: threadTs,
        team_id: world.team.id,
      }),
    )
  }
  return Object.fromEntries(Object.entries(places).filter(([, one]) => Object.keys(one).length > 0))
}

/** A file as files.info and message events have it. `origin` is where this server listens. */
export function fileObject(world: World, origin: string, file: StoredFile): Json {
  const extension = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : ''
  const path = `${world.team.id}-${file.id}`
  const inChannels = (...kinds: string[]) => [
    ...new Set(file.shares.map((one) => one.channel).filter((id) => kinds.includes(world.channel(id).kind))),
  ]
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: extension === 'txt' || extension === '' ? 'text' : extension,
    pretty_type: extension === '' ? 'Plain Text' : extension.toUpperCase(),
    user: file.owner,
    user_team: world.team.id,
    editable: false,
    size: file.content.length,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: inChannels('public').length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${origin}/files-pri/${path}/${encodeURIComponent(file.name)}`,
    url_private_download: `${origin}/files-pri/${path}/download/${encodeURIComponent(file.name)}`,
    permalink: `${origin}/files/${file.owner}/${file.id}/${encodeURIComponent(file.name)}`,
    permalink_public: `${origin}/pub/${path}`,
    has_rich_preview: false,
    file_access: 'visible',
    channels: inChannels('public'),
    groups: inChannels('private', 'mpim'),
    ims: inChannels('im'),
    comments_count: 0,
    shares: shareOf(world, file),
  }
}

/** A file in a message; of a Slack Connect file only that files.info has more. */
export const sharedFile = (world: World, origin: string, file: StoredFile): Json => {
  if (file.deleted) return { id: file.id, mode: 'tombstone' }
  if (file.checkInfo) {
    const { id, created, timestamp, user } = fileObject(world, origin, file)
    return { id, created, timestamp, user, mode: 'file_access', file_access: 'check_file_info' }
  }
  const { shares, channels, groups, ims, comments_count, ...shown } = fileObject(world, origin, file)
  return shown
}
