import { basename, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../kit/failure.ts'
import type { SkillFinding } from '../../kit/skills/check.ts'
import { filesInFolder, mainText } from '../../kit/skills/contents.ts'
import { visible } from '../../kit/text/text.ts'
import { checkForUse } from './check-for-use.ts'
import { registryFor } from './registry.ts'
import { sourceWords } from './skill.ts'
import { skillsWords } from './words.ts'

const usage =
  'Usage: skills list | skills validate <dir> [--json] | skills install <zip or dir> | skills remove <name>\n'

/** `skills list` shows what is on this machine; `skills validate` checks a folder against the specification. */
export async function skillsTerminal([action = 'list', ...rest]: string[], config: Config): Promise<number> {
  if (action === 'list' && rest.length === 0) return list(config)
  const [folder, ...flags] = rest
  if ((action === 'install' || action === 'remove') && folder !== undefined && flags.length === 0) {
    const { installSkill, removeSkill } = await import('./change-skills.ts')
    const said = await (action === 'install' ? installSkill : removeSkill)(folder, config)
    process.stdout.write(`${said}\n`)
    return 0
  }
  if (action !== 'validate' || folder === undefined || flags.some((flag) => flag !== '--json')) {
    process.stderr.write(usage)
    return 2
  }
  return validate(resolve(folder), flags.includes('--json'), config)
}

async function list(config: Config): Promise<number> {
  const { skills, unusable } = await registryFor(config).fixed()
  for (const skill of skills) {
    const off = skill.isOn ? '' : ', switched off'
    process.stdout.write(`${skill.name} (${sourceWords(skill)}${off})\n  ${visible(skill.facts.description)}\n`)
  }
  for (const { folder, why } of unusable) process.stdout.write(`${visible(`${folder} can’t be used: ${why}`)}\n`)
  return unusable.length === 0 ? 0 : 1
}

/** Exit code 0 if it follows the specification, 1 if it doesn’t or isn’t there. Advice doesn’t count. */
async function validate(folder: string, asJson: boolean, config: Config): Promise<number> {
  const { name, findings, isUnread } = await findingsIn(folder, config)
  const errors = findings.filter(({ level }) => level === 'error')
  if (asJson) process.stdout.write(`${JSON.stringify({ valid: errors.length === 0, name, findings }, undefined, 2)}\n`)
  else {
    for (const { level, file, line, message, refuses } of findings) {
      const place = line === undefined ? file : `${file}:${line}`
      const note = refuses ? ` ${skillsWords.refusedNote()}` : level === 'error' ? ` ${skillsWords.acceptedNote()}` : ''
      const grade = level === 'error' && !refuses ? 'warning' : level
      process.stdout.write(isUnread ? `${message}\n` : `${place}: ${grade}: ${message}${note}\n`)
    }
    if (isUnread) return 1
    const count = errors.length === 1 ? '1 rule' : `${errors.length} rules`
    process.stdout.write(
      errors.length === 0 ? `${name ?? folder} is valid.\n` : `${skillsWords.rulesBrokenCount({ count })}\n`,
    )
  }
  return errors.length === 0 ? 0 : 1
}

async function findingsIn(
  folder: string,
  config: Config,
): Promise<{ name?: string; findings: readonly SkillFinding[]; isUnread?: boolean }> {
  const failed = (message: string) => ({
    findings: [{ level: 'error', refuses: true, message, file: folder } as const],
  })
  try {
    const text = mainText(await filesInFolder(folder, registryFor(config).settings))
    if (text === undefined) return failed(skillsWords.mainFileNotThere())
    const { facts, findings } = checkForUse(text, basename(folder))
    return { findings, ...(facts !== undefined && { name: facts.name }) }
  } catch (thrown) {
    if (thrown instanceof Failure) return { ...failed(thrown.message), isUnread: thrown.code === 'no_skill' }
    throw thrown
  }
}
