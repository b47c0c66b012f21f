import { Failure } from '../../kit/failure.ts'
import { isSkillName, type SkillFacts, type SkillFinding } from '../../kit/skills/check.ts'
import { mainText, type SkillFiles, type SkillLimits } from '../../kit/skills/contents.ts'
import { checkForUse } from './check-for-use.ts'
import { skillsWords } from './words.ts'

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
    throw new Failure(
      'unsafe_skill',
      skillsWords.packageTooLarge({ bytes: limits.bytes }),
      skillsWords.packageTooLargeRemedy(),
    )
  }
  const { filesInZip } = await import('../../kit/skills/zip.ts')
  const files = isZip(bytes) ? await filesInZip(bytes, limits) : new Map([['SKILL.md', bytes]])
  return packageOf(files)
}

/** Throws `unsafe_skill`, `no_skill`. */
export function packageOf(files: SkillFiles): SkillPackage {
  const text = mainText(files)
  if (text === undefined) {
    const remedy = skillsWords.mainFileMissingRemedy()
    throw new Failure('no_skill', skillsWords.mainFileMissing(), remedy)
  }
  const { facts, findings } = checkForUse(text)
  if (facts === undefined || !isSkillName(facts.name)) {
    const why = findings.filter(({ refuses }) => refuses).map(({ message }) => message)
    throw new Failure('no_skill', skillsWords.skillUnusable({ why: why.join(' ') }), skillsWords.skillUnusableRemedy())
  }
  return { facts, findings, files }
}
