import type { Complaint, Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'

/** The configuration has faults; nothing was started. */
export class ConfigFaults extends Error {
  readonly complaints: Complaint[]

  constructor(complaints: Complaint[]) {
    super('the configuration has faults')
    this.complaints = complaints
  }
}

/** The configuration of this process. Throws ConfigFaults. */
export function loadOrThrow(): Config {
  const loaded = loadConfig(process.env, process.cwd())
  if ('complaints' in loaded) throw new ConfigFaults(loaded.complaints)
  return loaded.config
}
