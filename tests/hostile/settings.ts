import type { Config } from '../../src/config/config.ts'
import type { Capability } from '../../src/turn/capability.ts'
import { shippedConfig } from '../support/shipped.ts'

type Section = 'agent' | 'engine' | 'tools' | 'uploads' | 'keep' | 'sandbox' | 'web' | 'access'

/** What differs from the shipped configuration. Scenarios of one setting share a bot. */
export interface Setting {
  name: string
  rules?: Partial<Config['rules']>
  tiers?: Config['tiers']
  config?: { [Key in Section]?: Partial<Config[Key]> }
  plugins?: Capability[]
}

/**
 * Small enough that an attack that gets through harms nobody, and large enough for Node. Nothing ends by a time here, however
 * busy the machine is, but for what is set to be `hasty`.
 */
export const limits = {
  sandbox: {
    timeoutMs: 30_000,
    scriptTimeoutMs: 30_000,
    outputBytes: 200_000,
    fileBytes: 4_000_000,
    memoryBytes: 100_000_000,
    processes: 60,
    temporaryBytes: 8_000_000,
    closed: {
      timeoutMs: 30_000,
      fileBytes: 4_000_000,
      memoryBytes: 100_000_000,
      processes: 60,
      temporaryBytes: 8_000_000,
    },
  },
  uploads: { workspaceBytes: 20_000_000, workspaceFiles: 300 },
  agent: { maxSteps: 14 },
  engine: { clockMs: 50 },
  web: { timeoutMs: 30_000, pageBytes: 200_000, downloadBytes: 300_000 },
}

/** The shipped rules. */
export const shipped: Setting = { name: 'shipped' }

/** Commands have little time. */
export const hasty: Setting = {
  name: 'hasty',
  config: { sandbox: { ...limits.sandbox, timeoutMs: 1_500, scriptTimeoutMs: 1_500 } },
}

/** An operator who wants no questions: what holds then holds without anybody's attention. */
export const unquestioned: Setting = { name: 'unquestioned', rules: { approvals: false } }

/** The rules as they are shipped. */
export const rulesOf = (): Config['rules'] => shippedConfig().rules
