import { groupBy } from '../../check/rows.ts'
import { placeKey } from '../account.ts'
import type { Place } from '../stage.ts'
import type { PlatformEvidence } from './check.ts'

/** Every message for the bot is answered once, publicly, in its own thread only. */
export function checkMarks({ rows, account, received, posted, fault }: PlatformEvidence): void {
  const turns = new Map(rows.turns.map((row) => [row.id, row]))
  // A stopped turn leaves its unfinished text behind.
  const said = posted.filter(({ entry }) => entry?.kind !== 'record')
  const places = groupBy(
    said.flatMap(({ place, seen }) => answersIn(seen.text).map((token) => ({ token, place }))),
    ({ token }) => token,
  )
  const reasons = new Map(rows.ignored.map(({ message, reason }) => [message, reason]))
  for (const { token, place, message, removed } of account.told.values()) {
    const [row] = received.get(token) ?? []
    const found = places.get(token) ?? []
    const here = found.filter((one) => isSame(one.place, place)).length
    const where = `${token} (${message} in ${placeKey(place)})`
    if (here < found.length) fault('elsewhere', `${where} is answered in ${found.map(({ place }) => placeKey(place))}`)
    if (here > 1) fault('doubled', `${where} is answered ${here} times`)
    if (removed) continue
    const ignored = reasons.get(message)
    if (ignored !== undefined) fault('lost', `${where} was ignored: ${ignored}`)
    const excused = row?.turn_id != null && turns.get(row.turn_id)?.state === 'stopped'
    if (here === 0 && row?.kind === 'message' && !excused && !isAnswerToo(row.payload))
      fault('missing', `${where} has no answer that anybody sees`)
    if (here > 0 && row?.kind === 'answer') fault('doubled', `${where} was an answer, and is answered`)
  }
}

const answersIn = (text: string): string[] =>
  [...text.matchAll(/answer (tok-\d+-\d+r?)\b/g)].flatMap(([, token]) => token ?? [])

const isSame = (one: Place, other: Place): boolean => placeKey(one) === placeKey(other)

/** The text of a message with files may have answered a question. */
const isAnswerToo = (payload: string): boolean => (JSON.parse(payload) as { text?: string }).text === ''
