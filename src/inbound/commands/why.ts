import { messageKey } from '../../domain/keys.ts'
import { plainName } from '../../kit/text/text.ts'
import { type KnownIgnored, listIgnored } from '../../store/ignored.ts'
import { findByDedupKey } from '../../store/inbox.ts'
import type { Command, CommandContext } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

/** How many are listed when no message is given. */
const latest = 5

export const why: Command = {
  name: 'why',
  summary: inboundWords.whySummary(),
  argument: { name: 'link', pattern: /[/\d]/ },
  about: 'channel',
  async run(context) {
    const { argument, project, deps } = context
    if (argument === '') return latestIgnored(context)
    const message = deps.platforms.get(project.platform)?.messageIn(argument) ?? argument
    const [ignored] = await listIgnored(deps.store.db, { project, message, limit: 1 })
    if (ignored !== undefined) return words(ignored)
    const received = await findByDedupKey(deps.store.db, messageKey(project, message))
    if (received === undefined) return inboundWords.neverReceived()
    return received.state === 'taken' ? inboundWords.alreadyRead() : inboundWords.notReadYet()
  },
}

async function latestIgnored({ project, deps }: CommandContext): Promise<string> {
  const ignored = await listIgnored(deps.store.db, { project, limit: latest })
  if (ignored.length === 0) return inboundWords.noneIgnored()
  return [inboundWords.latestIgnored(), ...ignored.map((one) => `- ${words(one)}`)].join('\n')
}

function words({ at, person, reason }: KnownIgnored): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return `${when} UTC, ${plainName(person.name)}: ${reason}`
}
