import { checkSkill, type SkillCheck, type SkillFinding } from '../../kit/skills/check.ts'
import { delegating } from '../../turn/port/mentions.ts'
import { skillsWords } from './words.ts'

/** Checks a SKILL.md against the specification, and whether people could load it by its name. */
export function checkForUse(text: string, folder?: string): SkillCheck {
  const check = checkSkill(text, folder)
  const { facts, findings } = check
  if (facts === undefined || !delegating.includes(facts.name)) return check
  const line = text.split('\n').findIndex((one) => /^name\s*:/.test(one)) + 1
  const finding: SkillFinding = {
    level: 'error',
    refuses: true,
    message: skillsWords.nameForAgents({ name: facts.name }),
    file: 'SKILL.md',
    ...(line > 0 && { line }),
  }
  return { facts: undefined, findings: [finding, ...findings] }
}
