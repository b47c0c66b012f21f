import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../kit/failure.ts'
import { orNothing } from '../../kit/files/below.ts'
import { isSkillName } from '../../kit/skills/check.ts'
import { filesInFolder } from '../../kit/skills/contents.ts'
import { packageOf, readPackage, type SkillPackage } from './read-package.ts'
import { registryFor } from './registry.ts'
import { findingWords } from './shown-package.ts'
import { skillsWords } from './words.ts'

type About = Parameters<typeof registryFor>[0]

const folderOf = ({ configDir }: Pick<Config, 'configDir'>): string => join(configDir, 'skills')

/** Puts a skill among the operator's: from a zip, a SKILL.md, or a folder. One of the same name is replaced. */
export async function installSkill(path: string, config: About): Promise<string> {
  const source = resolve(path)
  const { facts, findings, files } = await packageAt(source, config)
  const folder = folderOf(config)
  await mkdir(folder, { recursive: true })
  const temporary = await mkdtemp(join(folder, '.new-'))
  // The temporary folder is only for whoever made it; the skill is also for the user that runs the bot.
  const made = join(temporary, 'new')
  try {
    for (const [name, bytes] of files) {
      await mkdir(dirname(join(made, name)), { recursive: true })
      await writeFile(join(made, name), bytes, { flag: 'wx' })
    }
    await orNothing(() => rename(join(folder, facts.name), join(temporary, 'replaced')))
    await rename(made, join(folder, facts.name))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  const notes = findings.map((finding) => `${findingWords(finding)}\n`).join('')
  return `${notes}${skillsWords.skillInstalled({ name: facts.name, folder: join(folder, facts.name) })}`
}

async function packageAt(source: string, config: About): Promise<SkillPackage> {
  const { settings } = registryFor(config)
  const found = await stat(source).catch(() => undefined)
  if (found === undefined)
    throw new Failure('no_skill', skillsWords.sourceMissing({ source }), skillsWords.sourceMissingRemedy())
  return found.isDirectory()
    ? packageOf(await filesInFolder(source, settings))
    : readPackage(await readFile(source), settings)
}

export async function removeSkill(name: string, config: About): Promise<string> {
  const folder = join(folderOf(config), name)
  if (!isSkillName(name) || !existsSync(folder)) {
    const remedy = skillsWords.notRemovableRemedy()
    throw new Failure('no_skill', skillsWords.noSkill({ name: JSON.stringify(name), config: folderOf(config) }), remedy)
  }
  await rm(folder, { recursive: true })
  return skillsWords.skillRemoved({ name })
}
