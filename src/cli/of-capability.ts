import { settingsOf } from '../turn/settings-of.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { loadOrThrow } from './load.ts'

/** The command that a capability brings. */
export const commandOf =
  (name: string) =>
  (args: string[]): Promise<number> => {
    const capability = builtinCapabilities.find((one) => one.name === name)
    if (capability?.terminal === undefined) throw new Error(`${name} brings no command`)
    const config = loadOrThrow()
    return capability.terminal(args, config, settingsOf(config, capability))
  }
