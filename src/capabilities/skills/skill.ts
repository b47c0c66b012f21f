import type { Person } from '../../domain/chat.ts'
import type { SkillFacts, SkillFinding } from '../../kit/skills/check.ts'
import type { SkillFiles } from '../../kit/skills/contents.ts'
import type { Triggers } from './triggers.ts'

/** Where a skill comes from; a later one takes the place of an earlier one of the same name. */
const sources = ['bobbin', 'operator', 'team', 'channel'] as const
export type SkillSource = (typeof sources)[number]

/** A skill as a thread sees it. */
export interface Skill {
  name: string
  facts: SkillFacts
  source: SkillSource
  /** False if it is switched off: then it isn't in the catalogue, but people can still load it with @. */
  isOn: boolean
  /** Endings of files it is for, such as `.pdf`. */
  fileTypes: readonly string[]
  /** When a message loads it without naming it. */
  triggers?: Triggers | undefined
  findings: readonly SkillFinding[]
  /**
   * Why it can't be read, if so. Nobody knows what it says or allows then, but it keeps its name, which no other skill
   * may take unasked. It isn't on.
   */
  unreadable?: string
  /** Who installed it, and as which version. */
  installed?: { by: Person; at: number; version: number }
  /** The same as long as its files are. */
  mark(): Promise<string>
  files(): Promise<SkillFiles>
}

const words: Record<SkillSource, string> = {
  bobbin: 'comes with Bobbin',
  operator: 'from whoever runs Bobbin',
  team: 'installed for the whole team',
  channel: 'installed in this channel',
}

export const sourceWords = ({ source }: Pick<Skill, 'source'>): string => words[source]
