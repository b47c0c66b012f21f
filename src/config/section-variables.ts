import type { Complaint } from './config.ts'
import { type Environment, inEnvironment } from './environment.ts'
import type { SettingsSection } from './section.ts'
import { configWords } from './words.ts'

type Sections = Readonly<Record<string, unknown>>

/** The sections with what the environment sets. */
export function sectionsWith(
  sections: Sections,
  brought: readonly SettingsSection[],
  environment: Environment,
  complaints: Complaint[],
): Sections {
  const changed = brought.flatMap(({ section, schema, variables = {} }) => {
    const given = Object.entries(variables).filter(([name]) => environment[name])
    if (given.length === 0) return []
    const own = Object.fromEntries(given.map(([name, key]) => [key, environment[name]]))
    const merged = { ...(sections[section] as object), ...own }
    for (const { path, message } of schema.safeParse(merged).error?.issues ?? []) {
      const [name] = given.find(([, key]) => key === path[0]) ?? []
      if (name !== undefined) complaints.push(inEnvironment(`${name}: ${message}`, configWords.sectionVariableRemedy()))
    }
    return [[section, merged] as const]
  })
  return { ...sections, ...Object.fromEntries(changed) }
}
