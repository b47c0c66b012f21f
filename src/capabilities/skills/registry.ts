import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { settingsIn } from '../../config/section.ts'
import { Failure } from '../../kit/failure.ts'
import { nearestTool } from '../../kit/nearest.ts'
import { once } from '../../kit/once.ts'
import type { TeamSkill } from '../../store/skills.ts'
import type { Store } from '../../store/store.ts'
import { type FoundSkill, shippedSkills, skillsIn, type Unusable } from './folders.ts'
import { type SkillsSettings, skillsSection } from './settings.ts'
import { openShelf, type Shelf } from './shelf.ts'
import type { Skill } from './skill.ts'
import { readContent, unreadable } from './team-content.ts'
import { rowsFor } from './team-rows.ts'
import { triggersOf } from './triggers.ts'
import { skillsWords } from './words.ts'

export interface SkillPlace {
  platform: string
  tenant: string
  project: string
}

/** Which skills there are, and where. */
export interface SkillRegistry {
  settings: SkillsSettings
  /** Whether any skill that was seen has tools run when it is matched. */
  mayPlan(): boolean
  /** Whether any skill that was seen allows only certain tools. */
  mayNarrow(): boolean
  shelf: Shelf
  /** Those of the bot's disk: the shipped ones and the operator's, which are looked for once. */
  fixed(): Promise<{ skills: readonly Skill[]; unusable: readonly Unusable[] }>
  /** All that a channel has, by name. */
  of(store: Store, place: SkillPlace): Promise<Skill[]>
}

type About = Pick<Config, 'configDir' | 'dataDir' | 'sections'>

/** One for each configuration, because the folders are read only once. */
const registries = new WeakMap<object, SkillRegistry>()

export function registryFor(config: About): SkillRegistry {
  const known = registries.get(config) ?? openRegistry(config)
  registries.set(config, known)
  return known
}

function openRegistry(config: About): SkillRegistry {
  const { configDir, dataDir } = config
  const settings = settingsIn(config, skillsSection)
  const plans = new Set<string>()
  const narrowing = new Set<string>()
  const shelf = openShelf(join(dataDir, 'skills'))
  const fixed = once(async () => {
    const all = [
      await skillsIn(shippedSkills, 'bobbin', settings),
      await skillsIn(join(configDir, 'skills'), 'operator', settings),
    ]
    const skills = all.flatMap((one) => one.skills).map(withSettings)
    return { skills: sorted(byName(skills)), unusable: all.flatMap(({ unusable }) => unusable) }
  })

  function withSettings(skill: FoundSkill): Skill {
    const own = settings.skills.get(skill.name)
    const triggers = triggersOf(skill.facts, own)
    if (triggers !== undefined && triggers.steps.length > 0) plans.add(skill.name)
    // One that can't be read may allow only certain tools.
    if (skill.facts.allowedTools !== undefined || skill.unreadable !== undefined) narrowing.add(skill.name)
    return { ...skill, isOn: own?.enabled ?? true, fileTypes: own?.autoLoadOnFileTypes ?? [], triggers }
  }

  /** What was read of a content never changes. */
  const contents = new Map<string, Promise<FoundSkill>>()
  const contentOf = (row: TeamSkill): Promise<FoundSkill> => {
    const known = contents.get(row.hash) ?? readContent(row, shelf)
    contents.set(row.hash, known)
    // It may be there the next time, when a shared disk is back.
    known.catch(() => contents.delete(row.hash))
    return known
  }

  return {
    settings,
    shelf,
    mayPlan: () => plans.size > 0,
    mayNarrow: () => narrowing.size > 0,
    fixed,
    async of(store, place) {
      const { skills } = await fixed()
      const all = byName(skills)
      for (const row of await rowsFor(store, place)) {
        const below = all.get(row.name)
        if (row.hash === '') {
          if (below !== undefined) all.set(row.name, switched(below, row))
          continue
        }
        const found = await contentOf(row).catch((thrown) => unreadable(row, thrown))
        const { by, at, version } = row
        const source = row.project === '' ? 'team' : 'channel'
        const own = { ...found, name: row.name, source, installed: { by, at, version } } as const
        all.set(row.name, switched(withSettings(own), row))
      }
      return sorted(all)
    },
  }
}

const byName = (skills: readonly Skill[]): Map<string, Skill> => new Map(skills.map((skill) => [skill.name, skill]))

const switched = (skill: Skill, { state }: TeamSkill): Skill => ({
  ...skill,
  isOn: state === 'on' && skill.unreadable === undefined,
})

/** Throws `no_skill`, with the nearest name. */
export function skillNamed(name: string, skills: readonly Skill[]): Skill {
  const found = skills.find((skill) => skill.name === name)
  if (found !== undefined) return found
  const names = skills.map((one) => one.name)
  const nearest = nearestTool(name, names)
  const all = names.length === 0 ? skillsWords.noneToOffer() : skillsWords.thereAre({ names: names.join(', ') })
  const remedy = nearest === undefined ? all : skillsWords.misspeltRemedy({ name: nearest })
  throw new Failure('no_skill', skillsWords.unknownSkill({ name: JSON.stringify(name.slice(0, 80)) }), remedy)
}

const sorted = (skills: ReadonlyMap<string, Skill>): Skill[] =>
  [...skills.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
