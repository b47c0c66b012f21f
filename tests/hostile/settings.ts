import type { Config } from '../../src/config/config.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { shippedConfig } from '../support/shipped.ts'

type Section = 'agent' | 'engine' | 'tools' | 'uploads' | 'keep' | 'access'

/** Changes to the shipped configuration. Scenarios with the same setting share a bot. */
export interface Setting {
  name: string
  rules?: Partial<Config['rules']>
  tiers?: Config['tiers']
  config?: { [Key in Section]?: Partial<Config[Key]> } & { sections?: Record<string, object> }
  plugins?: Capability[]
}

/**
 * Small enough that a successful attack harms nobody, and large enough for Node. Only `hasty` has short timeouts, because
 * the machine may be busy.
 */
export const limits = {
  uploads: { workspaceBytes: 20_000_000, workspaceFiles: 300 },
  agent: { maxSteps: 14 },
  engine: { clockMs: 50 },
  /** Sections of bobbin.yaml. */
  sections: {
    sandbox: {
      timeout_ms: 200_000,
      script_timeout_ms: 200_000,
      output_bytes: 200_000,
      file_bytes: 4_000_000,
      memory_bytes: 100_000_000,
      processes: 60,
      temporary_bytes: 8_000_000,
      closed: {
        timeout_ms: 200_000,
        file_bytes: 4_000_000,
        memory_bytes: 100_000_000,
        processes: 60,
        temporary_bytes: 8_000_000,
      },
    },
    web: { timeout_ms: 200_000, page_bytes: 200_000, download_bytes: 300_000 },
  },
}

/** The shipped rules. */
export const shipped: Setting = { name: 'shipped' }

const { sandbox } = limits.sections

/** Commands have a short timeout. */
export const hasty: Setting = {
  name: 'hasty',
  config: { sections: { sandbox: { ...sandbox, timeout_ms: 1_500, script_timeout_ms: 1_500 } } },
}

/** An operator who wants no approvals: these protections must hold without anybody watching. */
export const unquestioned: Setting = { name: 'unquestioned', rules: { approvals: false } }

/** The rules as they are shipped. */
export const rulesOf = (): Config['rules'] => shippedConfig().rules
