import type { Session } from '../../store/sessions.ts'
import type { HookContext } from '../port/capability.ts'
import type { TurnServices } from './services.ts'
import type { Toolbox } from './toolbox.ts'

interface Where {
  toolbox: Toolbox
  session: Session
  bot: TurnServices
  hookContext: HookContext
}

/** What `@name` in a message of the thread means: `tool`, or the capability that has the name, `besides` this one. */
export async function ownerOf(
  name: string,
  { toolbox, session, bot, hookContext }: Where,
  besides?: string,
): Promise<string | undefined> {
  if (toolbox.known.some((tool) => tool.name === name)) return 'tool'
  // Whatever a subagent asks about, people write in its thread.
  const { parent: _, ...thread } = session
  const all = await bot.capabilities.names(thread, bot, hookContext)
  return all.find((one) => one.name === name && one.capability !== besides)?.capability
}
