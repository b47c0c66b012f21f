import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SkillFinding } from '../../kit/skills/check.ts'
import type { SkillLimits } from '../../kit/skills/contents.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { shippedSkills } from './folders.ts'
import { readPackage } from './read-package.ts'
import { isScript } from './run-skill-script.ts'
import { skillsWords } from './words.ts'

/** A person reads at most this many files of a skill on a card; the others are named. */
const mostShown = 30

export interface ShownFile {
  path: string
  bytes: Uint8Array
}

/**
 * What a person sees of a skill before it is installed: what it is, what is odd about it, and its text files. One that
 * is beyond the `limits` is refused, so that nobody decides about it.
 */
export async function shownPackage(
  bytes: Uint8Array,
  limits: SkillLimits,
  ownerOf: (name: string) => Promise<string | undefined>,
): Promise<ShownFile[]> {
  const { facts, findings, files } = await readPackage(bytes, limits)
  const scripts = [...files.keys()].filter(isScript)
  const isText = ([, content]: [string, Uint8Array]) => !content.subarray(0, 8_000).includes(0)
  const order = (path: string) => (/^skill\.md$/i.test(path) ? 0 : scripts.includes(path) ? 1 : 2)
  const texts = [...files].filter(isText).toSorted(([a], [b]) => order(a) - order(b))
  const shown = new Map(texts.slice(0, mostShown))
  const list = [...files].map(([path, content]) => {
    const size = sizeWords(content.length)
    return shown.has(path) ? `${path} (${size})` : skillsWords.fileNotShown({ path, size })
  })
  const about = [
    skillsWords.skillCalled({ name: facts.name }),
    skillsWords.saysItIsFor({ description: facts.description }),
    ...(facts.license === undefined ? [] : [skillsWords.license({ license: facts.license })]),
    ...(existsSync(join(shippedSkills, facts.name)) ? [skillsWords.replacesShipped()] : []),
    ...aboutName(facts.name, await ownerOf(facts.name)),
    scripts.length === 0 ? skillsWords.noScripts() : skillsWords.scripts({ count: scripts.length }),
    ...findings.map(findingWords),
    '',
    skillsWords.files(),
    ...list,
  ]
  return [
    { path: skillsWords.aboutSkill(), bytes: Buffer.from(about.join('\n')) },
    ...[...shown].map(([path, content]) => ({ path: `${facts.name}/${path}`, bytes: content })),
  ]
}

/** What people should know about its name if something else has it: a tool keeps it, anything else loses it. */
export function aboutName(name: string, owner: string | undefined): string[] {
  if (owner === undefined) return []
  return [owner === 'tool' ? skillsWords.nameOfTool({ name }) : skillsWords.takesName({ name, owner })]
}

/** `SKILL.md:3: …` */
export const findingWords = ({ level, file, line, message }: SkillFinding): string =>
  `${file}${line === undefined ? '' : `:${line}`}: ${level === 'error' ? '' : 'advice: '}${message}`
