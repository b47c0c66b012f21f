import type { WorkspaceFile } from '../../domain/chat.ts'
import { newId } from '../../domain/ids.ts'
import type { ChildTask } from '../../domain/tool.ts'
import { oneLine } from '../../kit/text/text.ts'
import { readCall } from '../../store/calls.ts'
import { createChild, openChildren } from '../../store/children.ts'
import { appendEvents } from '../../store/events.ts'
import { insertInbox } from '../../store/inbox.ts'
import type { Session } from '../../store/sessions.ts'
import type { Lease, Store, Tx } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Judgement } from '../../trust/judgement.ts'
import type { OpenCall } from '../port/calls.ts'
import { noteStart } from './call-journal.ts'

interface ParentTurn {
  store: Store
  lease: Lease
  row: StoredTurn
  session: Session
  titleOf(call: OpenCall): string | undefined
}

/**
 * Stores the start of a call together with the child session that works for it. Nothing has begun if as many work
 * already as may, or if it was denied or a grant has ended since it was judged.
 */
export function beginChild(
  turn: ParentTurn,
  call: OpenCall,
  { text, agent, skills, files, maxSteps, atOnce, ...task }: Omit<ChildTask, 'files'> & { files: WorkspaceFile[] },
  { verdict, hash }: Pick<Judgement, 'verdict' | 'hash'>,
): Promise<'begun' | 'waits' | 'ungranted'> {
  const { row, session } = turn
  const begin = async (tx: Tx) => {
    if ((await openChildren(tx.db, { session: session.id, turn: row.id })) >= atOnce) return 'waits'
    const grants = verdict.kind === 'allow' ? verdict.grants : []
    const { state } = await readCall(tx.db, call.id)
    const start = { hash, rule: verdict.rule, grants, state }
    const started = await noteStart(tx, turn, call, start)
    if (typeof started !== 'number') return started === 'denied' ? 'waits' : started
    const title = tx.mask(task.title)
    const opens = { call: call.id, turn: row.id, title: oneLine(title, 80), agent, skills, maxSteps }
    const child = await createChild(tx, session, opens)
    const { person, timeZone } = row
    const said = { person, timeZone, text: '', task: tx.mask(text), files }
    const message = { message_id: newId('msg', tx.now), role: 'user' as const, text: title, files }
    const eventId = await appendEvents(tx, child.id, [{ type: 'message', data: message }])
    await insertInbox(tx, child.id, { dedupKey: `task:${call.id}`, kind: 'message', payload: said, eventId })
    const name = child.parent?.name ?? ''
    const ids = { turn_id: row.id, call_id: call.id }
    await appendEvents(tx, session.id, [
      { type: 'subagent_assigned', data: { ...ids, name, conversation_id: child.id, task: oneLine(title, 500) } },
      { type: 'output', data: { ...ids, text: `${name}: begins\n` } },
    ])
    tx.wakes(child.id)
    return 'begun'
  }
  return turn.store.fenced(turn.lease, begin, { next_event: 3 })
}
