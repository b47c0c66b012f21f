import { isWorthMasking } from '../kit/secrets/own.ts'
import type { Complaint } from './config.ts'
import type { Environment } from './environment.ts'
import type { PlaceOf } from './read-file.ts'
import type { SettingsSection } from './section.ts'
import { configWords } from './words.ts'

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Collects the variables that texts refer to as `${NAME}`. Entries with `enabled: false` don't need theirs. */
export function namedVariables(
  files: readonly { values: unknown; placeOf: PlaceOf }[],
  environment: Environment,
  complaints: Complaint[],
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { values, placeOf } of files) {
    for (const { name, path } of referencesIn(values)) {
      const value = environment[name]
      if (value !== undefined && value !== '') found[name] = value
      else {
        const message = `${path.join('.')}: there is no environment variable ${name}`
        complaints.push({ ...placeOf(path), message, remedy: configWords.unsetReferenceRemedy() })
      }
    }
  }
  return found
}

/** The variables that sections name as secrets. What can't be masked is refused. */
export function secretVariables(
  sections: Readonly<Record<string, unknown>>,
  brought: readonly SettingsSection[],
  { environment, placeOf }: { environment: Environment; placeOf: PlaceOf },
  complaints: Complaint[],
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { section, schema, secretNames } of brought) {
    const parsed = secretNames && schema.safeParse(sections[section] ?? {})
    for (const name of parsed?.success ? (secretNames?.(parsed.data) ?? []) : []) {
      // From a file it ends with a line end.
      const value = environment[name]?.trim() ?? ''
      const complain = (message: string, remedy: string) =>
        complaints.push({ ...placeOf([section]), message: `${section}: ${message}`, remedy })
      if (value === '') complain(`there is no environment variable ${name}`, configWords.unsetReferenceRemedy())
      else if (!isWorthMasking(value))
        complain(`${name} is too short or too plain to be masked`, configWords.shortSecretRemedy())
      else found[name] = value
    }
  }
  return found
}

function referencesIn(value: unknown, path: PropertyKey[] = []): { name: string; path: PropertyKey[] }[] {
  if (typeof value === 'string') return Array.from(value.matchAll(reference), ([, name = '']) => ({ name, path }))
  if (Array.isArray(value)) return value.flatMap((item, place) => referencesIn(item, [...path, place]))
  if (typeof value !== 'object' || value === null || ('enabled' in value && value.enabled === false)) return []
  return Object.entries(value).flatMap(([key, inner]) => referencesIn(inner, [...path, key]))
}

/** A text with its variables put in. */
export const withVariables = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(reference, (whole, name: string) => variables[name] ?? whole)
