import type { Message } from '../../domain/messages.ts'
import { zipNames } from '../../kit/files/zip-names.ts'
import { quoted } from '../../kit/text/quoted.ts'
import { loadedSkills } from '../../store/skills.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { skillsOf } from './session-skills.ts'
import type { Skill } from './skill.ts'

/** More files at once don't need a hint each. */
const mostHints = 10
const mostZip = 20 * 1024 * 1024

/** Which skills are for the files that just came, and which files are skills themselves. */
export async function hintsFor(turn: TurnScope, unanswered: readonly Message[]): Promise<string[]> {
  const files = unanswered.flatMap((message) => (message.role === 'user' ? message.files : [])).slice(0, mostHints)
  if (files.length === 0) return []
  const all = await skillsOf(turn.session, turn.bot)
  const loaded = await loadedSkills(turn.bot.store.db, turn.session.id)
  const lines: string[] = []
  for (const { path, name } of files) {
    const skill = skillFor(name, all)
    if (skill !== undefined && !loaded.includes(skill.name)) lines.push(recommended(path, skill))
    if (await isSkill(path, turn)) {
      lines.push(
        `${quoted(path)} contains a skill. If the person wants it installed, call install_skill with this path.`,
      )
    }
  }
  return lines.length === 0 ? [] : [lines.join('\n')]
}

/** By the ending of its name. */
const skillFor = (file: string, skills: readonly Skill[]): Skill | undefined =>
  skills.find(({ fileTypes, unreadable }) => !unreadable && fileTypes.some((type) => file.toLowerCase().endsWith(type)))

const recommended = (path: string, { name, isOn }: Skill): string =>
  isOn
    ? `The skill ${name} (@${name}) is for files like ${quoted(path)}. Load it before you do more with it than read it.`
    : `There is a skill for files like ${quoted(path)}, which is switched off here: people can load it with @${name}.`

async function isSkill(path: string, { workspace }: TurnScope): Promise<boolean> {
  if (/(^|\/)skill\.md$/i.test(path)) return true
  if (!/\.(zip|skill)$/i.test(path)) return false
  try {
    const bytes = await workspace.read(path, mostZip)
    const range = async (offset: number, length: number) => bytes.subarray(offset, offset + length)
    const { names } = await zipNames({ size: bytes.length, range })
    return names.some((name) => /^([^/]+\/)?skill\.md$/i.test(name))
  } catch {
    // Whoever reads it finds out what is wrong with it.
    return false
  }
}
