import { readSystemPrompt } from '../store/prompts.ts'
import type { Session } from '../store/sessions.ts'
import type { HookContext } from './capability.ts'
import { buildPrompt } from './prompt.ts'
import type { TurnServices } from './services.ts'

/** The session's system prompt; a new one is to be stored with the first messages. */
export async function systemPromptOf(
  session: Session,
  context: HookContext,
  { store, clock, capabilities, toolbox }: TurnServices,
): Promise<{ prompt: string; isNew: boolean }> {
  const known = await readSystemPrompt(store.db, session.id)
  if (known !== undefined) return { prompt: known, isNew: false }
  const { platform, project } = session.thread
  const facts = {
    platform,
    project,
    person: session.person.name,
    timeZone: session.timeZone,
    now: clock.now(),
    tools: toolbox.byName,
  }
  return { prompt: await capabilities.promptBuilt(buildPrompt(facts), context), isNew: true }
}
