import { placeKey } from '../account.ts'
import type { PlatformEvidence } from './check.ts'

/**
 * Messages among people are not answered. If the bot is mentioned in the thread later, they are read once, before the mention:
 * from the thread's history, or because a process was told of them late.
 */
export function checkChatter({ rows, account, sessions, fault }: PlatformEvidence): void {
  const ignored = new Set(rows.ignored.map(({ message }) => message))
  for (const { text, message, place } of account.chatter) {
    const session = sessions.get(placeKey(place))
    if (session === undefined) {
      if (!ignored.has(message)) fault('chatter', `${text} (${message}): nothing says why it was not answered`)
      continue
    }
    const own = rows.events.filter(({ session_id }) => session_id === session.id)
    if (own.some(({ type, data }) => type === 'warning' && data.code === 'not_imported')) continue
    const history = rows.messages.filter(({ session_id }) => session_id === session.id)
    // Every turn was stopped before it had read anything.
    if (history.length === 0) continue
    const read = history.filter((row) => row.text.includes(text))
    const isContext = read[0]?.origin === 'earlier' || read[0]?.origin === 'person'
    if (session.earlier !== 'read' || read.length !== 1 || !isContext)
      fault('chatter', `${text} was read ${read.length} times in ${session.id} (${session.earlier})`)
  }
}
