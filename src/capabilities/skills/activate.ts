import { newId, type SessionId } from '../../domain/ids.ts'
import { listed } from '../../kit/words/list.ts'
import { appendEvents } from '../../store/events.ts'
import { insertOutbox } from '../../store/outbox.ts'
import { loadTools } from '../../store/session-tools.ts'
import { findSession } from '../../store/sessions.ts'
import { loadedSkills, loadSkills, teamSkills } from '../../store/skills.ts'
import type { Tx } from '../../store/store.ts'
import type { NamedByMessage } from '../../turn/port/mentions.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { installSkillPackages } from './install-packages.ts'
import { markActive } from './narrow.ts'
import { registryFor, type SkillRegistry, skillNamed } from './registry.ts'
import { runSkillScript } from './run-skill-script.ts'
import { linkSkill, loadedOf, skillsOf } from './session-skills.ts'
import type { Skill } from './skill.ts'
import { skillsWords } from './words.ts'

/** Loads skills into a thread, and the tools for their scripts. Returns the new ones that the thread has room for. */
async function activate(
  tx: Tx,
  session: SessionId,
  names: readonly string[],
  { settings: { inThread }, fixed }: SkillRegistry,
): Promise<string[]> {
  const loaded = await loadedSkills(tx.db, session)
  const isTight = loaded.length + names.length > inThread
  const removed = isTight ? await removedOf(tx, session, loaded, await fixed()) : 0
  const added = await loadSkills(tx, session, names, inThread + removed)
  if (added.length === 0) return []
  await loadTools(tx, session, [runSkillScript.name, installSkillPackages.name])
  await appendEvents(tx, session, [{ type: 'skill_activated', data: { skills: added } }])
  return added
}

/** How many were removed since they were loaded: these take no place. */
async function removedOf(
  tx: Tx,
  session: SessionId,
  loaded: readonly string[],
  { skills: fixed }: { skills: readonly Skill[] },
): Promise<number> {
  const found = await findSession(tx.db, session)
  if (found === undefined) return 0
  const installed = (await teamSkills(tx.db, found.thread)).filter(({ hash }) => hash !== '')
  const there = new Set([...fixed, ...installed].map(({ name }) => name))
  return loaded.filter((name) => !there.has(name)).length
}

/**
 * Loads the skills that a message names or implies, and says in the thread which of those that people named don't fit.
 * Returns those that are loaded, now or before.
 */
export async function loadForMessage(
  tx: Tx,
  session: SessionId,
  named: readonly NamedByMessage[],
  registry: SkillRegistry,
): Promise<string[]> {
  const names = named.map(({ name }) => name)
  await activate(tx, session, names, registry)
  const loaded = await loadedSkills(tx.db, session)
  const left = named.flatMap(({ name, why }) => (why === undefined && !loaded.includes(name) ? [name] : []))
  if (left.length > 0) {
    const most = registry.settings.inThread
    const payload = { text: skillsWords.threadFull({ names: listed(left), most, count: left.length }), files: [] }
    await insertOutbox(tx, { key: newId('msg', tx.now), session, turn: undefined, kind: 'answer', payload })
  }
  return names.filter((name) => loaded.includes(name))
}

/** Loads a skill that the model asked for. People may load any; the model only what the catalogue shows it. */
export async function loadForModel(name: string, turn: TurnScope): Promise<string> {
  const { bot, session, lease } = turn
  const all = await skillsOf(session, bot)
  const known = await loadedOf(all, session, bot)
  if (known.includes(name)) return `${name} is loaded already: its instructions are in the section “Skill ${name}”.`
  const skill = skillNamed(
    name,
    all.filter(({ isOn }) => isOn),
  )
  const registry = registryFor(bot.config)
  const added = await bot.store.fenced(lease, async (tx) => {
    const loaded = await activate(tx, session.id, [skill.name], registry)
    if (registry.mayNarrow()) await markActive(tx, session.id, turn.row.id, loaded)
    return loaded
  })
  if (added.length === 0) return skillsWords.noRoom({ most: registry.settings.inThread })
  turn.promptChanged()
  await linkSkill(skill, turn)
  return `Loaded. Its instructions are in the section “Skill ${name}”, and its files in skills/${name}/: ${await listOf(skill)}.`
}

/**
 * Whether the model may give these to a subagent: those that the catalogue shows it, and those that people loaded.
 * Throws `no_skill`.
 */
export async function mayGive(names: readonly string[], { bot, session }: TurnScope): Promise<void> {
  const loaded = await loadedSkills(bot.store.db, session.id)
  const all = (await skillsOf(session, bot)).filter(({ name, isOn }) => isOn || loaded.includes(name))
  for (const name of names) skillNamed(name, all)
}

/** Some of its files, by name. */
async function listOf(skill: Skill): Promise<string> {
  const names = [...(await skill.files()).keys()]
  return `${names.slice(0, 40).join(', ')}${names.length > 40 ? `, and ${names.length - 40} more` : ''}`
}
