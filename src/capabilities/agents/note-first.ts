import { noteRun } from '../../store/agents.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import type { AgentsSettings } from './settings.ts'
import { agentsOf } from './stack.ts'

/** The turns of which it was noted which agent they began with. */
const noted = new WeakSet<StoredTurn>()

/** Notes which agent a turn begins with, once. */
export async function noteFirst({ bot, session, row, lease }: ModelScope, settings: AgentsSettings): Promise<void> {
  const { agents: handed } = session
  if (handed === undefined || handed.stack.length === 0 || handed.turn === row.id) return
  if (lease === undefined || noted.has(row)) return
  noted.add(row)
  const agent = agentsOf(session, settings).at(-1)
  if (agent === undefined) return
  const run = { session: session.id, turn: row.id, place: 0, agent: agent.name, version: agent.version }
  await bot.store.fenced(lease, (tx) => noteRun(tx, run))
}
