import { directTenant, type Person } from '../../domain/chat.ts'
import type { Session } from '../../store/sessions.ts'
import { tenantsOf } from '../../store/tenants.ts'
import type { Services } from '../../turn/port/scope.ts'
import { whyMayNot } from '../../turn/port/who-may.ts'
import type { Named } from './login/login-of.ts'
import { mcpWords } from './words.ts'

/** Stands in the rules for what is done with servers by commands. */
export const deciderName = 'mcp'

/** Why a person may not do something with a server; undefined if they may. */
export async function whyNotDo(
  action: string,
  { server, place }: Named,
  { person, session }: { person: Person; session: Session },
  bot: Services,
): Promise<string | undefined> {
  // A thread stops only its own server.
  const isShared = place === '' && !(action === 'stop' && server.scope === 'session')
  const shared = isShared ? withShared[action]?.() : undefined
  if (shared !== undefined && (await isForOthers(session, bot)))
    return whyMayNot({ tool: deciderName, what: shared, isNamed: true }, person, session, bot)
  const what = action === 'prompts' ? 'list the prompts of MCP servers' : 'change MCP servers'
  return whyMayNot({ tool: deciderName, what }, person, session, bot)
}

/** What is done to a login or a server that all share, and not just seen. Prompts are read with everybody's login. */
const withShared: Partial<Record<string, () => string>> = {
  login: mcpWords.changeSharedLogin,
  logout: mcpWords.changeSharedLogin,
  stop: mcpWords.stopSharedServer,
  prompts: mcpWords.listSharedPrompts,
}

/**
 * Whether a login that all share also serves people who have nothing to do with this thread. Discord's direct messages
 * may be a stranger's, so nobody gets a say there, and they don't count against the people of a server.
 */
async function isForOthers({ thread }: Session, { store }: Services): Promise<boolean> {
  if (thread.tenant === directTenant) return true
  const tenants = (await tenantsOf(store.db)).filter(({ tenant }) => tenant !== directTenant)
  return tenants.length > 1
}
