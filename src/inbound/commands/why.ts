import { plainName } from '../../kit/text/text.ts'
import { type KnownIgnored, listIgnored } from '../../store/ignored.ts'
import { findByDedupKey } from '../../store/inbox.ts'
import type { Command, CommandContext } from '../../turn/command.ts'

/** Without a message named: the latest. */
const latest = 5

export const why: Command = {
  name: 'why',
  summary: 'why I did not answer a message (its link), or the latest ones of this channel',
  argument: { name: 'link', pattern: /[/\d]/ },
  about: 'channel',
  async run(context) {
    const { argument, place, deps } = context
    if (argument === '') return latestIgnored(context)
    const message = deps.platforms.get(place.platform)?.messageIn(argument) ?? argument
    const [ignored] = await listIgnored(deps.store.db, { place, message, limit: 1 })
    if (ignored !== undefined) return words(ignored)
    // Adapters make the key of a message so.
    const key = [place.platform, place.tenant, place.project, message].join(':')
    const received = await findByDedupKey(deps.store.db, key)
    if (received === undefined) return 'I have not seen this message in this channel, or it was too long ago.'
    return received.isRead
      ? 'I have read this message: see its thread.'
      : 'I have this message, and am about to read it.'
  },
}

async function latestIgnored({ place, deps }: CommandContext): Promise<string> {
  const ignored = await listIgnored(deps.store.db, { place, limit: latest })
  if (ignored.length === 0) return 'I have ignored no message in this channel lately.'
  return [
    'The latest messages of this channel that I did not answer:',
    ...ignored.map((one) => `- ${words(one)}`),
  ].join('\n')
}

function words({ at, person, reason }: KnownIgnored): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return `${when} UTC, ${plainName(person.name)}: ${reason}`
}
