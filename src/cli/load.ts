import type { Config } from '../config/config.ts'
import { loadConfig, type Places } from '../config/load.ts'
import { builtinSections } from '../wiring/capabilities.ts'
import { ConfigFaults } from './config-faults.ts'

/** This process's configuration. Throws ConfigFaults. */
export const loadOrThrow = (): Config => loadWithPlaces().config

/** The same, with where each setting is in the files. */
export function loadWithPlaces(): { config: Config; places: Places } {
  const loaded = loadConfig(process.env, process.cwd(), builtinSections)
  if ('complaints' in loaded) throw new ConfigFaults(loaded.complaints)
  return loaded
}
