import type { Complaint, Config } from '../config/config.ts'
import { type Places, unknownSection } from '../config/load.ts'
import { Failure } from '../kit/failure.ts'
import type { Capability } from '../turn/capability.ts'

/** What is wrong with the sections of capabilities, and where it stands. */
export function settingComplaints(
  { sections }: Pick<Config, 'sections'>,
  capabilities: readonly Capability[],
  places: Places,
): Complaint[] {
  const placeOf = places['bobbin.yaml']
  const known = capabilities.flatMap(({ settings }) => settings?.section ?? [])
  const unknown = Object.keys(sections).filter((name) => !known.includes(name))
  const faulty = capabilities.flatMap(({ settings }) => {
    const issues = settings?.schema.safeParse(sections[settings.section] ?? {}).error?.issues ?? []
    return issues.map(({ path, message }) => {
      const whole = [settings?.section ?? '', ...path]
      return { ...placeOf(whole), message: `${whole.join('.')}: ${message}`, remedy: 'Correct the value.' }
    })
  })
  return [...unknown.map((name) => unknownSection(name, placeOf)), ...faulty]
}

/** A capability's own settings, as its schema makes them; `{}` where it has none. Throws `bad_setting`. */
export function settingsOf({ sections }: Pick<Config, 'sections'>, { settings }: Capability): unknown {
  if (settings === undefined) return {}
  const parsed = settings.schema.safeParse(sections[settings.section] ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = [settings.section, ...(issue?.path ?? [])].join('.')
  throw new Failure('bad_setting', `${path}: ${issue?.message}`, 'Correct it in config/bobbin.yaml.')
}

/** Throws `bad_setting` for a section that nobody has. */
export function checkSections({ sections }: Pick<Config, 'sections'>, capabilities: readonly Capability[]): void {
  const known = capabilities.flatMap(({ settings }) => settings?.section ?? [])
  const unknown = Object.keys(sections).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const fact = `There is no setting called ${unknown}, and no plug-in has one.`
  throw new Failure('bad_setting', fact, 'Remove it from config/bobbin.yaml, or correct its spelling.')
}
