import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Config } from '../config/config.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import type { Capability } from '../turn/port/capability.ts'
import type { Surroundings } from './bot.ts'
import { cautious } from './cautious.ts'
import { type PluginKit, pluginKit } from './plugin-kit.ts'
import { pluginFault } from './plugin-shape.ts'
import { wiringWords } from './words.ts'

/** Loads the configured plug-ins: modules whose default export turns options into a capability. Throws `bad_plugin`. */
export const loadPlugins = (named: { path: string; options: Record<string, unknown> }[]): Promise<Capability[]> =>
  Promise.all(
    named.map(({ path, options }) =>
      usablePlugin(path, async () => {
        const module: { default: PluginFunction } = await import(pathToFileURL(path).href)
        return module.default(options, pluginKit)
      }),
    ),
  )

/** The configured plug-ins, or what tests have instead. Throws `bad_plugin`. */
export const pluginsFor = ({ plugins }: Config, surroundings: Surroundings): Promise<Capability[]> =>
  surroundings.plugins === undefined
    ? loadPlugins(plugins)
    : Promise.all(surroundings.plugins.map((one) => usablePlugin(one.name, async () => one)))

async function usablePlugin(path: string, make: () => Promise<Capability>): Promise<Capability> {
  let reason: string | undefined
  try {
    const made = await make()
    reason = pluginFault(made)
    if (reason === undefined) return cautious(made)
  } catch (thrown) {
    const fact = wiringWords.pluginNotLoaded({ path, reason: reasonOf(thrown) })
    throw new Failure('bad_plugin', fact, remedyFor(path, thrown), { cause: thrown })
  }
  throw new Failure('bad_plugin', wiringWords.pluginUnusable({ path, reason }), wiringWords.pluginUnusableRemedy())
}

type PluginFunction = (options: Record<string, unknown>, kit: PluginKit) => Capability | Promise<Capability>

function remedyFor(path: string, thrown: unknown): string {
  if (!existsSync(path)) return wiringWords.pluginNotThereRemedy()
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  const isImport = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
  return isImport ? wiringWords.pluginImportRemedy() : wiringWords.pluginFailedRemedy()
}
