import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errnoOf } from '../../kit/errno.ts'
import { reasonOf } from '../../kit/failure.ts'
import { orNothing } from '../../kit/files/below.ts'
import { once } from '../../kit/once.ts'
import { isSkillName } from '../../kit/skills/check.ts'
import { filesInFolder, hashOfFiles, type SkillLimits } from '../../kit/skills/contents.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import { checkForUse } from './check-for-use.ts'
import type { Skill, SkillSource } from './skill.ts'
import { skillsWords } from './words.ts'

/** The skills that come with Bobbin. */
export const shippedSkills = resolve(import.meta.dirname, '../../../skills')

/** A skill of a folder on the bot's disk, before its settings are known. */
export type FoundSkill = Omit<Skill, 'isOn' | 'fileTypes' | 'triggers'>

/** A folder that holds no usable skill, and why. */
export interface Unusable {
  folder: string
  why: string
}

/** Reads only SKILL.md of each; the other files are read when somebody needs the skill. */
export async function skillsIn(
  directory: string,
  source: SkillSource,
  limits: SkillLimits,
): Promise<{ skills: FoundSkill[]; unusable: Unusable[] }> {
  let entries: Dirent[]
  try {
    entries = await readdir(directory, { withFileTypes: true })
  } catch (thrown) {
    throwOutage(thrown)
    const isMissing = errnoOf(thrown) === 'ENOENT'
    return { skills: [], unusable: isMissing ? [] : [{ folder: directory, why: reasonOf(thrown) }] }
  }
  const folders = entries.filter((one) => one.isDirectory() && !one.name.startsWith('.')).map(({ name }) => name)
  const read = await Promise.all(folders.toSorted().map((name) => skillAt(join(directory, name), name, source, limits)))
  return {
    skills: read.flatMap((one) => ('skill' in one ? one.skill : [])),
    unusable: read.flatMap((one) => ('why' in one ? one : [])),
  }
}

async function skillAt(
  folder: string,
  name: string,
  source: SkillSource,
  limits: SkillLimits,
): Promise<{ skill: FoundSkill } | Unusable> {
  try {
    const text =
      (await orNothing(() => readFile(join(folder, 'SKILL.md'), 'utf8'))) ??
      (await readFile(join(folder, 'skill.md'), 'utf8'))
    const { facts, findings } = checkForUse(text, name)
    if (facts === undefined || !isSkillName(facts.name))
      return { folder, why: findings.map(({ message }) => message).join(' ') }
    const files = () => filesInFolder(folder, limits)
    const mark = once(async () => hashOfFiles(await files()))
    return { skill: { name: facts.name, facts, source, findings, files, mark } }
  } catch (thrown) {
    throwOutage(thrown)
    const isMissing = errnoOf(thrown) === 'ENOENT'
    return { folder, why: isMissing ? skillsWords.mainFileNotThere() : reasonOf(thrown) }
  }
}
