import { loadedTools, loadTools } from '../../store/session-tools.ts'
import type { Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import type { SystemPrompt } from './system-prompt.ts'
import type { Toolbox } from './toolbox.ts'

interface Loading {
  session: Session
  toolbox: Toolbox
  prompt: Pick<SystemPrompt, 'offered'>
}

/** Loads those of these tools that the thread's requests have room for: they are `there` then, also if they were. */
export async function loadFitting(
  tx: Tx,
  names: readonly string[],
  { session, toolbox, prompt }: Loading,
): Promise<{ there: string[]; added: string[] }> {
  const all = [...(await loadedTools(tx.db, session.id)), ...names]
  const fitting = new Set(toolbox.of(all, prompt.offered, session).map(({ name }) => name))
  const there = names.filter((name) => fitting.has(name))
  return { there, added: await loadTools(tx, session.id, there) }
}
