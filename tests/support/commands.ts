import { sessionCommands } from '../../src/inbound/commands/index.ts'
import type { Services } from '../../src/turn/port/scope.ts'
import { settingsOf } from '../../src/turn/port/settings-of.ts'
import { builtinCapabilities } from '../../src/wiring/capabilities.ts'
import { shippedConfig } from './shipped.ts'

const config = shippedConfig()
// To list them, none of it is asked for more than its configuration.
const bot = { config } as Services

/** The session commands of a bot without plug-ins. */
export const commands = sessionCommands(
  builtinCapabilities.flatMap((capability) => capability.commands?.(bot, settingsOf(config, capability)) ?? []),
)
