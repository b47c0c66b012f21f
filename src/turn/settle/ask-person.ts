import type { CallId } from '../../domain/ids.ts'
import type { ApprovalRequest } from '../../domain/request.ts'
import { oneLine } from '../../kit/text/text.ts'
import { appendAudit } from '../../store/audit.ts'
import { markWaiting } from '../../store/calls.ts'
import { findRequestOfCall, insertRequest } from '../../store/requests.ts'
import type { Session } from '../../store/sessions.ts'
import type { Lease, Store, Tx } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import { showCard } from '../../trust/cards.ts'
import { pingDeciders, timedApproval } from '../../trust/remind.ts'
import type { Rules } from '../../trust/rules.ts'
import { showWhole } from '../../trust/show-whole.ts'
import { timedQuestion } from '../../trust/timed-question.ts'
import type { AskPerson, OpenCall } from '../port/calls.ts'
import { withdraw } from '../state/close-open.ts'
import { tellAsked, whatAskedBy } from './tell-asked.ts'

/** What asking needs of the turn. */
interface AskingTurn {
  store: Store
  lease: Lease
  row: StoredTurn
  session: Pick<Session, 'parent'>
  bot: { rules: Rules }
  /** On a platform, where a long text doesn't fit on a card. */
  isPosted: boolean
}

/**
 * Stores a request, replacing any earlier one of this call, and shows its card. `hash` covers exactly what is asked.
 */
export function askPerson(
  { store, lease, row, session: { parent }, bot: { rules }, isPosted }: AskingTurn,
  call: OpenCall,
  hash: string,
  asked: AskPerson,
): Promise<void> {
  const what = parent === undefined ? asked : whatAskedBy(parent.name, asked)
  const { id: turn, session } = row
  return store.fenced(lease, async (tx) => {
    await withdrawRequest(tx, call.id)
    const timed = what.kind === 'approval' ? timedApproval(what, rules, tx.now) : timedQuestion(what, rules, tx.now)
    const request = await insertRequest(tx, { session, turn, call: call.id, hash, ...timed })
    await markWaiting(tx, call.id)
    if (request.kind === 'approval' && isPosted) await showWhole(tx, request)
    await showCard(tx, request)
    if (isPosted) await pingDeciders(tx, request, rules)
    const about = request.kind === 'approval' ? askedOf(request) : {}
    const data = { request: request.id, call: call.id, tool: call.name, kind: request.kind, hash, ...about }
    await appendAudit(tx, { kind: 'asked', session, data })
    await tellAsked(tx, request)
  })
}

/** The call ends without an answer because its tool or rule has changed, so its card closes too. */
export async function withdrawRequest(tx: Tx, call: CallId): Promise<void> {
  const request = await findRequestOfCall(tx.db, call, ['approval', 'question', 'decision', 'loop'])
  if (request?.state === 'pending') await withdraw(tx, request)
}

/** What the person saw, for the audit log. */
function askedOf({ payload: { reason, risk, unclear, hosts, runs, input }, decided }: ApprovalRequest) {
  const shown = (text: string) => oneLine(text, 2_000)
  const known = { reason, risk, hosts, runs, input: shown(JSON.stringify(input)), who: decided.who }
  return unclear.length === 0 ? known : { ...known, unclear: shown(unclear.join('; ')) }
}
