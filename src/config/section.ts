import type { z } from 'zod'
import { Failure } from '../kit/failure.ts'

/** A section of `bobbin.yaml` that belongs to a capability. Its schema makes the settings from what the file contains. */
export interface SettingsSection<Settings = unknown> {
  section: string
  schema: z.ZodType<Settings>
  /** Environment variables, each of which overrides one of its keys. */
  variables?: Readonly<Record<string, string>>
}

/** The settings of a section. Throws `bad_setting`. */
export function settingsIn<Settings>(
  { sections }: { sections: Readonly<Record<string, unknown>> },
  { section, schema }: SettingsSection<Settings>,
): Settings {
  const parsed = schema.safeParse(sections[section] ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = [section, ...(issue?.path ?? [])].join('.')
  throw new Failure('bad_setting', `${path}: ${issue?.message}`, 'Correct it in config/bobbin.yaml.')
}
