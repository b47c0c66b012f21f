import type { Incoming } from '../domain/chat.ts'
import type { Request } from '../domain/request.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import { appendEvents } from '../store/events.ts'
import { pendingRequests } from '../store/list-requests.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { openTurn } from '../store/turns.ts'
import { notAddressed } from '../trust/answer.ts'
import { isCardGone, lookForCard } from '../trust/cards.ts'
import { inboundWords } from './words.ts'

type Said = Pick<Incoming, 'person' | 'addressed'>

/** While an approval waits, messages queue, and their senders are told so. */
export async function tellQueued(
  tx: Tx,
  { id, thread }: Session,
  said: Said,
  platforms: ReadonlyMap<string, ChatPlatform>,
) {
  const turn = await openTurn(tx.db, id)
  if (turn?.state !== 'waiting') return
  const requests = await pendingRequests(tx.db, id)
  const [first] = requests
  if (first === undefined) return
  const data = { turn_id: turn.id, request_ids: requests.map((one) => one.id), queued: true }
  await appendEvents(tx, id, [{ type: 'waiting', data }])
  const isPosted = platforms.get(thread.platform)?.progress === 'posted'
  if (!isPosted || said.addressed !== true) return
  // Whoever reads that it is above has to find it there, and whoever may answer needs a card to answer below.
  for (const request of requests)
    if (isElsewhere(request, said) || (await isCardGone(tx.db, request.id))) await lookForCard(tx, request)
  if (!requests.every((one) => isElsewhere(one, said))) return
  const text = first.kind === 'approval' ? inboundWords.clickNeeded() : inboundWords.waitingForOthers()
  // It is no part of the turn. Its key lets each request have only one.
  const entry = { key: `queued_${first.id}`, session: id, turn: undefined, kind: 'answer' as const }
  await insertOutbox(tx, { ...entry, payload: { text, files: [] } })
}

/** No message of theirs can answer it, not even once its card is known to be above the message. */
const isElsewhere = (request: Request, { person }: Said): boolean =>
  request.kind === 'approval' || notAddressed(request, { person, operator: false }) !== undefined
