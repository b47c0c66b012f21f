import type { TurnId } from '../domain/ids.ts'
import { appendEvents } from '../store/events.ts'
import type { Lease, Store } from '../store/store.ts'
import type { MeasuredWorkspace } from '../workspace/workspace.ts'

export interface MendDeps {
  store: Store
  lease: Lease
  /** The turn's. */
  row: { id: TurnId }
  workspace: MeasuredWorkspace
  report(thrown: unknown): void
}

/** Makes the workspace whole, and tells the thread what that took. Returns the same words for the model; '' when all was well. */
export async function mendAndTell({ store, lease, row, workspace, report }: MendDeps): Promise<string> {
  // What cannot be mended now (a full disk) fails where it is needed, with a reason of its own.
  await workspace.mend().catch(report)
  const message = workspace.takeMended().join(' ')
  if (message === '') return ''
  const data = { turn_id: row.id, code: 'workspace_mended', message }
  await store.fenced(lease, (tx) => appendEvents(tx, lease.session, [{ type: 'warning', data }]))
  return message
}
