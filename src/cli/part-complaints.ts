import type { Complaint, Config } from '../config/config.ts'
import type { Places } from '../config/load.ts'
import type { Capability } from '../turn/port/capability.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { allTools } from '../wiring/names.ts'
import { searchComplaints, settingComplaints } from '../wiring/settings.ts'
import { unknownNames, unknownTools } from '../wiring/unknown-names.ts'

/**
 * What else is wrong in the files: only the plug-ins decide which tools and sections there are. Throws `bad_plugin`,
 * `bad_setting`.
 */
export function partComplaints(config: Config, places: Places, plugins: readonly Capability[]): Complaint[] {
  const capabilities = [...builtinCapabilities, ...plugins]
  const tools = allTools(builtinCapabilities, plugins)
  const unknown = unknownTools(config, tools, capabilities)
  const mentioned = unknownNames(config, tools, capabilities).flatMap(({ section, path, message, remedy }) => {
    const placeOf = places.own[section]
    return placeOf === undefined ? [] : { ...placeOf(path), message, remedy }
  })
  const ofSections = settingComplaints(config, capabilities, places)
  const complaints = unknown.map(({ file, path, isKey, message, remedy }) => ({
    ...places[file](path, isKey),
    message,
    remedy,
  }))
  return [...complaints, ...ofSections, ...searchComplaints(config, places), ...mentioned]
}
