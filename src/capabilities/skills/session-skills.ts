import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { throwOutage } from '../../kit/unavailable.ts'
import type { Session } from '../../store/sessions.ts'
import { loadedSkills } from '../../store/skills.ts'
import type { Services, TurnScope } from '../../turn/port/scope.ts'
import { registryFor } from './registry.ts'
import type { Skill } from './skill.ts'

/** The skills of a session's channel. */
export const skillsOf = (session: Session, { config, store }: Pick<Services, 'config' | 'store'>): Promise<Skill[]> =>
  registryFor(config).of(store, session.thread)

/** The skills that a prompt was just made of, and the threads whose first prompt was made: both save look-ups. */
const justSeen = new WeakMap<Session, Skill[]>()
const begun = new WeakSet<Session>()

/** What each bot has logged of folders that hold no usable skill, and of skills that can't be read. */
const logged = new WeakMap<object, Set<string>>()

async function logUnusable(all: readonly Skill[], { config, report }: Pick<Services, 'config' | 'report'>) {
  const known = logged.get(config) ?? new Set()
  logged.set(config, known)
  const { unusable } = await registryFor(config).fixed()
  for (const { folder, why } of unusable) {
    if (!known.has(folder)) report('a skill can’t be used', { folder })(why)
    known.add(folder)
  }
  for (const { name, unreadable, mark } of all) {
    if (unreadable === undefined) continue
    const hash = await mark()
    if (!known.has(hash)) report('a skill can’t be read', { skill: name, hash })(unreadable)
    known.add(hash)
  }
}

/** For a prompt: the skills of the channel, and the names of those that the thread has loaded. */
export async function skillsForPrompt(session: Session, bot: Pick<Services, 'config' | 'store' | 'report'>) {
  const all = await skillsOf(session, bot)
  await logUnusable(all, bot)
  // Before its first message is read, nobody can have loaded any. A subagent begins with those that it was given.
  const isFirst = session.parent === undefined && session.messages === 0 && !begun.has(session)
  begun.add(session)
  justSeen.set(session, all)
  return { all, loaded: isFirst ? [] : await loadedOf(all, session, bot) }
}

/** Those of these skills that a thread has loaded. What was loaded and removed since has no section, nor a place. */
export async function loadedOf(
  all: readonly Skill[],
  session: Session,
  { store }: Pick<Services, 'store'>,
): Promise<string[]> {
  const loaded = await loadedSkills(store.db, session.id)
  return loaded.filter((name) => all.some((skill) => skill.name === name))
}

/** For a message, which is read right after the prompt was made. */
export async function skillsForMessage(session: Session, bot: Pick<Services, 'config' | 'store'>): Promise<Skill[]> {
  const seen = justSeen.get(session)
  justSeen.delete(session)
  return seen ?? skillsOf(session, bot)
}

/** Puts a copy of a skill into the workspace, unless it is there. */
export const linkSkill = async (skill: Skill, { workspace }: Pick<TurnScope, 'workspace'>): Promise<void> =>
  workspace.place(skill.name, await skill.mark(), () => skill.files())

/** Does so for each that is loaded. One that fails, such as one whose files are in use, doesn't stop the others. */
export async function linkSkills(turn: TurnScope): Promise<void> {
  const { bot, session } = turn
  const loaded = await loadedSkills(bot.store.db, session.id)
  if (loaded.length === 0) return
  const all = await skillsOf(session, bot)
  const failed: unknown[] = []
  for (const name of loaded) {
    const skill = all.find((one) => one.name === name)
    try {
      if (skill !== undefined && skill.unreadable === undefined) await linkSkill(skill, turn)
    } catch (thrown) {
      throwOutage(thrown)
      failed.push(thrown)
    }
  }
  if (failed.length > 0) throw failed[0]
}

/** The libraries that the bot brings along for scripts of skills. */
export const packagesFolder = dirname(dirname(findPackageJSON('yauzl', import.meta.url) ?? ''))
