import type { z } from 'zod'
import { Failure } from '../kit/failure.ts'
import { configWords } from './words.ts'

/**
 * A section of `bobbin.yaml` that belongs to a capability, or a file of its own beside it. Its schema makes the
 * settings from what the file contains. A plug-in has only `section` and `schema`.
 */
export interface SettingsSection<Settings = unknown> {
  section: string
  /** The file that holds nothing but this section, if it has one. */
  file?: string
  schema: z.ZodType<Settings>
  /** Environment variables, each of which overrides one of its keys. */
  variables?: Readonly<Record<string, string>>
  /** Environment variables that it names as secrets: they have to be set, and are always masked. */
  secretNames?(settings: Settings): readonly string[]
}

/** The settings of a section. Throws `bad_setting`. */
export function settingsIn<Settings>(
  { sections }: { sections: Readonly<Record<string, unknown>> },
  { section, file = 'bobbin.yaml', schema }: SettingsSection<Settings>,
): Settings {
  // Read once, like the files (config/read-file.ts).
  const parsed = schema.safeParse(sections[section] ?? {}, { jitless: true })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = [section, ...(issue?.path ?? [])].join('.')
  throw new Failure('bad_setting', `${path}: ${issue?.message}`, configWords.correctConfigRemedy({ file }))
}
