import { sessionCommands } from '../../src/inbound/commands/index.ts'
import { builtinCapabilities } from '../../src/wiring/capabilities.ts'

/** The session commands of a bot without plug-ins. */
export const commands = sessionCommands(builtinCapabilities.flatMap((capability) => capability.commands ?? []))
