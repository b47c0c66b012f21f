import { type SandboxSettings, sandboxSection, secretsIn } from '../../programs/settings.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { commandChecks } from './checks.ts'
import { runCommand } from './run-command.ts'
import { runScript } from './run-script.ts'

/** Running programs where they can do no harm. */
export const commands: Capability<SandboxSettings> = {
  name: 'commands',
  title: 'Sandbox',
  settings: sandboxSection,
  secrets: secretsIn,
  tools: [runCommand, runScript],
  checks: (_, settings) => commandChecks(settings),
  context({ bot }, _, sandbox) {
    const { uploads } = bot.config
    const workspace = { bytes: uploads.workspaceBytes, files: uploads.workspaceFiles }
    return { sandbox: bot.sandbox, limits: { sandbox, workspace } }
  },
}
