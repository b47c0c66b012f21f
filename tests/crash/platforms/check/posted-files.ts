import { groupBy, homesIn } from '../../check/rows.ts'
import { placeKey } from '../account.ts'
import type { PlatformEvidence } from './check.ts'

/** Each file the agent wrote for people appears once, in its thread, unchanged. */
export function checkPostedFiles({ rows, posted, sessions, fault }: PlatformEvidence): void {
  const homeOf = homesIn(rows)
  const turns = new Map(rows.turns.map((row) => [row.id, row]))
  // What a subagent wrote is posted with the answer of the thread.
  const turnsAbove = new Map(rows.sessions.map(({ id, parent_turn }) => [id, parent_turn]))
  const files = groupBy(
    posted.flatMap(({ place, seen }) => seen.files.map((file) => ({ ...file, place, message: seen.id }))),
    ({ name }) => name,
  )
  for (const { tool, state, arguments: text, session_id, turn_id } of rows.calls) {
    if (tool !== 'write_file' || state !== 'done') continue
    const { path, content } = JSON.parse(text) as { path: string; content: string }
    const name = path.replace('outputs/', '')
    const found = files.get(name) ?? []
    const where = `${name} of ${session_id}`
    if (found.length > 1) fault('doubled', `${where} was posted as ${found.map(({ message }) => message)}`)
    const answering = turns.get(turnsAbove.get(session_id) ?? turn_id)
    if (found.length === 0 && answering?.state === 'done') fault('missing', `${where} was not posted`)
    for (const one of found) {
      if (one.content !== content) fault('file', `${where} was posted with ${one.content.length} other characters`)
      if (sessions.get(placeKey(one.place))?.id !== homeOf(session_id))
        fault('elsewhere', `${where} stands in ${placeKey(one.place)}`)
    }
  }
}
