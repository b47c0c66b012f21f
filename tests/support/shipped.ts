import type { Config } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { configOf, loadConfig, readFiles, shippedConfigDir } from '../../src/config/load.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'

// Read once: parsing YAML took a third of a test bot's start. What comes of it is frozen.
const files = readFiles(shippedConfigDir, builtinSections)

/** The shipped configuration in an environment; with BOBBIN_CONFIG_DIR, what lies there over it. */
export function shippedConfig(environment: Environment = {}, workingDir = shippedConfigDir): Config {
  if ('complaints' in files) throw new Error(JSON.stringify(files.complaints))
  const loaded = environment.BOBBIN_CONFIG_DIR
    ? loadConfig(environment, workingDir, builtinSections)
    : configOf(files, shippedConfigDir, environment, workingDir)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  return loaded.config
}

/** The sections of capabilities with other values, as the file has them. */
export const sectionsWith = ({ sections }: Config, own: Record<string, object>): Config['sections'] => ({
  ...sections,
  ...Object.fromEntries(
    Object.entries(own).map(([name, values]) => [name, { ...(sections[name] as object), ...values }]),
  ),
})
