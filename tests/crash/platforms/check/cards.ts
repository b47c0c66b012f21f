import type { RequestRow } from '../../../../src/store/trust-rows.ts'
import { homesIn } from '../../check/rows.ts'
import { placeKey } from '../account.ts'
import type { PlatformEvidence } from './check.ts'

type Answer = { decision?: 'approve' | 'deny'; text?: string }
type By = { id?: string; name?: string }

/** Each card shows the one decision and the person, and that person did choose it. */
export function checkCards({ rows, account, received, stage, posted, sessions, fault }: PlatformEvidence): void {
  const homeOf = homesIn(rows)
  const cards = new Map(posted.flatMap((one) => one.postings.map(({ key }) => [key, one] as const)))
  const answers = new Map(
    [...received].flatMap(([token, of]) => of.flatMap(({ payload }) => requestIn(payload).map((id) => [id, token]))),
  )
  for (const row of rows.requests) {
    const where = `${row.id} (${row.kind}, ${row.state}, ${row.session_id})`
    const card = cards.get(`card_${row.id}.0`)
    if (card === undefined) {
      fault('missing', `${where} has no card that anybody sees`)
      continue
    }
    if (row.state === 'pending') {
      const of = account.pressed.filter((one) => one.card === card.seen.id)
      fault('decision', `${where} waits, and people did this: ${JSON.stringify(of)}`)
    }
    const by = JSON.parse(row.answered_by ?? '{}') as By
    const answer = JSON.parse(row.answer ?? '{}') as Answer
    for (const words of wordsOf(row, answer)) {
      if (!card.seen.text.includes(words)) fault('card', `${where} does not show "${words}": ${card.seen.text}`)
    }
    if (row.state !== 'answered') continue
    const names = [by.name, by.id].filter((name) => name !== undefined)
    if (!names.some((name) => card.seen.text.includes(name)))
      fault('card', `${where} does not show ${names}: ${card.seen.text}`)
    if (!wasWanted(row, card.seen.id, answer, by))
      fault('decision', `${where} has ${row.answer} of ${row.answered_by}, who wanted no such thing`)
  }

  function wasWanted({ id, session_id }: RequestRow, card: string, { decision, text }: Answer, by: By): boolean {
    const pressed = account.pressed.some(
      (one) => one.card === card && stage.idOf(one.user) === by.id && one.answer === (decision ?? text),
    )
    const said = account.told.get(answers.get(id) ?? '')
    if (pressed || (said !== undefined && stage.idOf(said.user) === by.id && said.text === text)) return true
    // The answer was the text of a message with files, or an edited one.
    return [...account.told.values()].some(
      (told) =>
        (told.uploads.length > 0 || told.edited) &&
        sessions.get(placeKey(told.place))?.id === homeOf(session_id) &&
        stage.idOf(told.user) === by.id &&
        text?.startsWith(told.token) === true,
    )
  }
}

const requestIn = (payload: string): string[] => {
  const { request } = JSON.parse(payload) as { request?: string }
  return request === undefined ? [] : [request]
}

function wordsOf({ kind, state }: RequestRow, { decision, text }: Answer): string[] {
  if (state === 'cancelled') return ['No longer needed']
  if (kind === 'approval') return [decision === 'approve' ? 'Approved' : 'Denied']
  return ['Answered', text?.slice(0, 60) ?? '']
}
