import type { TurnId } from '../../domain/ids.ts'
import { appendEvents } from '../../store/events.ts'
import type { Lease, Store } from '../../store/store.ts'
import type { MeasuredWorkspace } from '../../workspace/workspace.ts'

export interface MendDeps {
  store: Store
  lease: Lease
  row: { id: TurnId }
  workspace: MeasuredWorkspace
  report(thrown: unknown): void
}

/**
 * Repairs the workspace and tells the thread what was repaired. Returns the same text for the model; '' when nothing
 * was.
 */
export async function mendAndTell({ store, lease, row, workspace, report }: MendDeps): Promise<string> {
  // What can't be repaired now (on a full disk) fails where it is needed, with its own reason.
  await workspace.mend().catch(report)
  const message = workspace.takeMended().join(' ')
  if (message === '') return ''
  const data = { turn_id: row.id, code: 'workspace_mended', message }
  await store.fenced(lease, (tx) => appendEvents(tx, lease.session, [{ type: 'warning', data }]))
  return message
}
