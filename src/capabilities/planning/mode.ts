import type { SessionId } from '../../domain/ids.ts'
import { setMode } from '../../store/session-mode.ts'
import { loadTools } from '../../store/session-tools.ts'
import type { Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import { planExit } from './plan-exit.ts'

/** Plan mode brings the tool that ends it. */
export async function switchMode(tx: Tx, session: SessionId, mode: Session['mode']): Promise<void> {
  await setMode(tx, session, mode)
  if (mode === 'plan') await loadTools(tx, session, [planExit.name])
}
