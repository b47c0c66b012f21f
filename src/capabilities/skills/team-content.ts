import { Failure, reasonOf } from '../../kit/failure.ts'
import { checkSkill } from '../../kit/skills/check.ts'
import { mainText } from '../../kit/skills/contents.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import type { TeamSkill } from '../../store/skills.ts'
import type { FoundSkill } from './folders.ts'
import type { Shelf } from './shelf.ts'
import { skillsWords } from './words.ts'

/** Throws whatever keeps it from being read. */
export async function readContent({ name, hash }: Pick<TeamSkill, 'name' | 'hash'>, shelf: Shelf): Promise<FoundSkill> {
  const text = mainText(await shelf.read(hash)) ?? ''
  const { facts, findings } = checkSkill(text)
  if (facts === undefined) throw new Error(findings.map(({ message }) => message).join(' '))
  return { name, facts, source: 'team', findings, mark: async () => hash, files: () => shelf.read(hash) }
}

/** In its place, so that no skill from higher up is taken for it. Throws an outage, after which it may be there. */
export function unreadable({ name, hash }: TeamSkill, thrown: unknown): FoundSkill {
  throwOutage(thrown)
  const description = skillsWords.cannotBeRead()
  return {
    name,
    facts: { name, description, metadata: {}, body: '' },
    source: 'team',
    findings: [],
    unreadable: reasonOf(thrown),
    mark: async () => hash,
    async files() {
      throw new Failure('unreadable_skill', `${name}: ${description}`, skillsWords.cannotBeReadRemedy())
    },
  }
}
