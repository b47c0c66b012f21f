import { join } from 'node:path'
import { appendEvents } from '../../store/events.ts'
import type { Session } from '../../store/sessions.ts'
import { loadedSkills, loadSkills } from '../../store/skills.ts'
import type { Services, TurnScope } from '../../turn/capability.ts'
import { markActive } from './narrow.ts'
import { registryFor, skillNamed } from './registry.ts'
import type { Skill } from './skill.ts'

/** The skills of a session's channel. */
export const skillsOf = (session: Session, { config, store }: Pick<Services, 'config' | 'store'>): Promise<Skill[]> =>
  registryFor(config).of(store, session.thread)

/** The skills that a prompt was just made of, and the threads whose first prompt was made: both save look-ups. */
const justSeen = new WeakMap<Session, Skill[]>()
const begun = new WeakSet<Session>()

/** For a prompt: the skills of the channel, and the names of those that the thread has loaded. */
export async function skillsForPrompt(session: Session, bot: Pick<Services, 'config' | 'store'>) {
  const all = await skillsOf(session, bot)
  // Before its first message is read, nobody can have loaded any.
  const isFirst = session.messages === 0 && !begun.has(session)
  begun.add(session)
  justSeen.set(session, all)
  return { all, loaded: isFirst ? [] : await loadedSkills(bot.store.db, session.id) }
}

/** For a message, which is read right after the prompt was made. */
export async function skillsForMessage(session: Session, bot: Pick<Services, 'config' | 'store'>): Promise<Skill[]> {
  const seen = justSeen.get(session)
  justSeen.delete(session)
  return seen ?? skillsOf(session, bot)
}

/** Loads a skill that the model asked for. People may load any; the model only what the catalogue shows it. */
export async function loadForModel(name: string, turn: TurnScope): Promise<string> {
  const { bot, session, lease } = turn
  const all = await skillsOf(session, bot)
  const known = await loadedSkills(bot.store.db, session.id)
  if (known.includes(name)) return `${name} is loaded already: its instructions are in the section “Skill ${name}”.`
  const skill = skillNamed(
    name,
    all.filter(({ isOn }) => isOn),
  )
  const most = registryFor(bot.config).settings.inThread
  const added = await bot.store.fenced(lease, async (tx) => {
    const loaded = await loadSkills(tx, session.id, [skill.name], most)
    if (loaded.length > 0) await appendEvents(tx, session.id, [{ type: 'skill_activated', data: { skills: loaded } }])
    if (registryFor(bot.config).mayNarrow()) await markActive(tx, session.id, turn.row.id, [skill.name])
    return loaded
  })
  if (added.length === 0) return `Not loaded: a thread can have ${most} skills. Ask people to start a new thread.`
  turn.promptChanged()
  await linkSkills(turn)
  return `Loaded. Its instructions are in the section “Skill ${name}”, and its files in skills/${name}/: ${await listOf(skill)}.`
}

/** Some of its files, by name. */
async function listOf(skill: Skill): Promise<string> {
  const names = [...(await skill.files()).keys()]
  return `${names.slice(0, 40).join(', ')}${names.length > 40 ? `, and ${names.length - 40} more` : ''}`
}

/** Puts a copy of each loaded skill into the workspace, unless it is there. */
export async function linkSkills({ bot, session, workspace }: TurnScope): Promise<void> {
  const loaded = await loadedSkills(bot.store.db, session.id)
  if (loaded.length === 0) return
  const all = await skillsOf(session, bot)
  for (const name of loaded) {
    const skill = all.find((one) => one.name === name)
    if (skill !== undefined) await workspace.place(name, await skill.mark(), () => skill.files())
  }
}

/** The libraries that the bot brings along for scripts of skills. */
export const packagesFolder = join(import.meta.dirname, '../../../node_modules')
