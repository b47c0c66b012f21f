import { webSection } from '../capabilities/web/settings.ts'
import type { Complaint, Config } from '../config/config.ts'
import { inEnvironment } from '../config/environment.ts'
import { type Places, unknownSection } from '../config/load.ts'
import { settingsIn } from '../config/section.ts'
import { Failure } from '../kit/failure.ts'
import { searcherOf } from '../kit/web/search/searcher.ts'
import { sandboxSection } from '../programs/settings.ts'
import type { Capability } from '../turn/port/capability.ts'
import { wiringWords } from './words.ts'

/** What is wrong with the sections of capabilities, and where. */
export function settingComplaints(
  { sections }: Pick<Config, 'sections'>,
  capabilities: readonly Capability[],
  places: Places,
): Complaint[] {
  const placeOf = places['bobbin.yaml']
  // A capability's own file was checked when it was read.
  const known = capabilities.flatMap(({ settings }) => settings?.section ?? [])
  const unknown = Object.keys(sections).filter((name) => !known.includes(name))
  const faulty = capabilities.flatMap(({ settings }) => {
    if (settings?.file !== undefined) return []
    const issues = settings?.schema.safeParse(sections[settings.section] ?? {}).error?.issues ?? []
    return issues.map(({ path, message }) => {
      const whole = [settings?.section ?? '', ...path]
      return { ...placeOf(whole), message: `${whole.join('.')}: ${message}`, remedy: wiringWords.correctValueRemedy() }
    })
  })
  const brought = capabilities.flatMap(({ settings }) => settings ?? [])
  return [...unknown.map((name) => unknownSection(name, brought, placeOf)), ...faulty]
}

/** What would keep the web search from being set up at the start. */
export function searchComplaints({ sections, searchKey }: Config, places: Places): Complaint[] {
  const { search, timeoutMs = 0 } = webSection.schema.safeParse(sections.web ?? {}).data ?? {}
  if (search === undefined) return []
  try {
    searcherOf({ ...search, key: searchKey, timeoutMs })
    return []
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return [
      {
        ...places['bobbin.yaml'](['web', 'search']),
        message: thrown.message.replace(/\.$/, ''),
        remedy: thrown.remedy,
      },
    ]
  }
}

/** What keeps a bot from starting on a database that it may share. */
export const nodeComplaints = ({ databaseUrl, node }: Pick<Config, 'databaseUrl' | 'node'>): Complaint[] =>
  databaseUrl === undefined || node !== undefined
    ? []
    : [inEnvironment(wiringWords.nodeNameMissing(), wiringWords.nodeNameMissingRemedy())]

/** Throws `bad_setting` for an unknown section. */
export function checkSections({ sections }: Pick<Config, 'sections'>, capabilities: readonly Capability[]): void {
  const known = capabilities.flatMap(({ settings }) => settings?.section ?? [])
  const unknown = Object.keys(sections).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const fact = wiringWords.unknownSetting({ unknown })
  throw new Failure('bad_setting', fact, wiringWords.unknownSettingRemedy())
}

/** Whether commands are refused when there is no sandbox. */
export const requiresSandbox = (config: Pick<Config, 'sections'>): boolean =>
  settingsIn(config, sandboxSection).required
