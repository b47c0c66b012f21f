import type { Capability } from '../../turn/capability.ts'
import { commandChecks } from './checks.ts'
import { runCommand } from './run-command.ts'
import { runScript } from './run-script.ts'

/** Running programs, where they can do no harm. */
export const commands: Capability = {
  name: 'commands',
  title: 'Sandbox',
  tools: [runCommand, runScript],
  checks: commandChecks,
  context({ bot }) {
    const { sandbox, uploads } = bot.config
    const workspace = { bytes: uploads.workspaceBytes, files: uploads.workspaceFiles }
    return { sandbox: bot.sandbox, limits: { sandbox, workspace } }
  },
}
