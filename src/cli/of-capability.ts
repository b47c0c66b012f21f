import { databasePlace } from '../config/config.ts'
import { hasDatabase } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'

/** The command that a capability brings. */
export const commandOf =
  (name: string) =>
  async (args: string[]): Promise<number> => {
    const capability = builtinCapabilities.find((one) => one.name === name)
    if (capability?.terminal === undefined) throw new Error(`${name} brings no command`)
    const config = loadOrThrow()
    const place = databasePlace(config)
    let store: Store | undefined
    const open = async () => {
      if (hasDatabase(place)) store ??= await openStore(place)
      return store
    }
    try {
      return await capability.terminal(args, config, settingsOf(config, capability), open)
    } finally {
      await store?.close()
    }
  }
