import { Failure } from '../../kit/failure.ts'
import { checkSkill, isSkillName, type SkillFacts, type SkillFinding } from '../../kit/skills/check.ts'
import { mainText, type SkillFiles, type SkillLimits } from '../../kit/skills/contents.ts'
import { delegating } from '../../turn/mentions.ts'

/** A skill that somebody sent. */
export interface SkillPackage {
  facts: SkillFacts
  findings: readonly SkillFinding[]
  files: SkillFiles
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Reads a zip archive or a SKILL.md. Throws `unsafe_skill`, `no_skill`. */
export async function readPackage(bytes: Uint8Array, limits: SkillLimits): Promise<SkillPackage> {
  if (bytes.length > limits.bytes) {
    throw new Failure('unsafe_skill', `It has more than ${limits.bytes} bytes.`, 'Ask for a smaller one.')
  }
  const { filesInZip } = await import('../../kit/skills/zip.ts')
  const files = isZip(bytes) ? await filesInZip(bytes, limits) : new Map([['SKILL.md', bytes]])
  return packageOf(files)
}

/** Throws `unsafe_skill`, `no_skill`. */
export function packageOf(files: SkillFiles): SkillPackage {
  const text = mainText(files)
  if (text === undefined) {
    const remedy = 'Send a zip with one skill in it: a folder with a SKILL.md, and what belongs to it.'
    throw new Failure('no_skill', 'This has no SKILL.md at its top.', remedy)
  }
  const { facts, findings } = checkSkill(text)
  if (facts === undefined || !isSkillName(facts.name)) {
    const why = findings.filter(({ refuses }) => refuses).map(({ message }) => message)
    throw new Failure('no_skill', `This skill can't be used. ${why.join(' ')}`, 'Correct its SKILL.md.')
  }
  if (delegating.includes(facts.name)) {
    throw new Failure('no_skill', `@${facts.name} is for agents, so no skill can have this name.`, 'Rename it.')
  }
  return { facts, findings, files }
}
