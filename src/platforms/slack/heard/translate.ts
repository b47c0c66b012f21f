import type { Heard, Person, RemoteFile } from '../../../domain/chat.ts'
import type { Identity } from '../api/identity.ts'
import type { SlackFile, SlackMessage } from '../api/payload.ts'
import { authorOf } from '../api/payload.ts'
import { asPerson, type People } from '../directory/people.ts'
import { dedupKeyOf, refOf, rootOf } from '../directory/thread-refs.ts'
import { withEmoji } from './emoji.ts'
import { filesOf, messageText, withoutTables } from './message-text.ts'
import { groupsIn, mentionsIn, unfold } from './unfold.ts'

/** Files that are gone, or beyond a plan's limit, can't be downloaded. */
const isThere = ({ mode }: SlackFile): boolean => mode !== 'tombstone' && mode !== 'hidden_by_limit'

/** Its id, and where to get it: a file of another workspace has to be asked for. */
export const remoteFile = ({ id, name, title, size, url_private_download, url_private }: SlackFile): RemoteFile => {
  const url = url_private_download ?? url_private
  return { id: url === undefined ? id : `${id} ${url}`, name: name || title || id, size }
}

async function personOf(message: SlackMessage, people: People): Promise<Person & { timeZone?: string }> {
  const { user, user_team, team, bot_id, username, bot_profile } = message
  const shown = username ?? bot_profile?.name
  if (user === undefined) return { id: bot_id ?? 'unknown', name: shown ?? bot_id ?? 'unknown' }
  const home = user_team ?? team
  // Messages with files name no workspace, and a member isn't a stranger because Slack is slow to tell it.
  const found = await (home === undefined && bot_id === undefined ? people.whoMay(user) : people.person(user, home))
  const { timeZone } = found
  const person = asPerson(found)
  return { ...person, name: shown ?? person.name, ...(timeZone === undefined ? {} : { timeZone }) }
}

/** A Slack message in our terms. */
export async function heardFrom(
  message: SlackMessage,
  channel: string,
  me: Identity,
  people: People,
  fileOf: (file: SlackFile) => Promise<RemoteFile>,
): Promise<Heard> {
  const words = messageText(message)
  // Whoever forwards a message isn't the author of its content, and a table names people without addressing them, as do
  // an app's blocks beside its text.
  const attachments = message.text === '' ? message.attachments.filter(({ is_share }) => !is_share) : []
  const addressing = withoutTables({ ...message, attachments })
  const own = message.text || messageText(addressing)
  const named = mentionsIn(own)
  const author = authorOf(message, me)
  const addressed = author === 'person' || message.text === '' ? addressing.blocks : []
  const mentioned = named.includes(me.userId) || JSON.stringify(addressed).includes(`"user_id":"${me.userId}"`)
  const others = named.some((id) => id !== me.userId) || groupsIn(own).length > 0
  const [{ timeZone, ...person }, unfolded, files] = await Promise.all([
    personOf(message, people),
    unfold(words, me.userId, people),
    Promise.all(filesOf(message).filter(isThere).map(fileOf)),
  ])
  const thread = rootOf(message)
  return {
    dedupKey: dedupKeyOf(me, channel, message.ts),
    thread: refOf(me, { channel, thread }),
    message: message.ts,
    // Not rounded, because messages are put in this order.
    at: Number(message.ts) * 1_000,
    editedAt: message.edited && Number(message.edited.ts) * 1_000,
    person,
    // Only once the markup is unfolded: before that, a name between colons may be part of it.
    text: withEmoji(unfolded, [message.blocks, message.attachments]),
    files,
    mentioned,
    direct: channel.startsWith('D'),
    toOthers: others && !mentioned,
    reply: thread !== message.ts,
    quotesOthers: message.attachments.some(({ is_share }) => is_share) || undefined,
    author,
    ...(timeZone === undefined ? {} : { timeZone }),
  }
}
