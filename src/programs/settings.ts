import { z } from 'zod'
import { camel } from '../config/camel.ts'
import { bytes, milliseconds } from '../config/figures.ts'
import type { SettingsSection } from '../config/section.ts'
import { secretsAmong } from '../kit/secrets/setting.ts'

const schema = z
  .strictObject({
    required: z
      .boolean()
      .describe('false: without bubblewrap, commands run as the bot itself, and a person is asked about each'),
    timeout_ms: milliseconds,
    script_timeout_ms: milliseconds,
    output_bytes: z.int().min(1024),
    file_bytes: bytes,
    memory_bytes: z.int().min(16_777_216),
    processes: z.int().min(4).max(10_000),
    temporary_bytes: bytes,
    closed: z
      .strictObject({
        timeout_ms: milliseconds,
        file_bytes: bytes,
        memory_bytes: z.int().min(16_777_216),
        processes: z.int().min(4).max(10_000),
        temporary_bytes: bytes,
      })
      .describe('Limits for calls that nobody approved one by one'),
    environment: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()),
  })
  .transform(({ environment, ...limits }) => ({ ...camel(limits), environment }))

/** The values in the environment of commands that must be kept secret. */
export const secretsIn = ({ environment }: SandboxSettings) => secretsAmong(environment)

/** For the sandbox that commands and scripts run in. */
export type SandboxSettings = z.infer<typeof schema>

export const sandboxSection: SettingsSection<SandboxSettings> = { section: 'sandbox', schema }
