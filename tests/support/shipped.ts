import type { Config } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { configOf, loadConfig, readFiles } from '../../src/config/load.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'

// Read once, because parsing YAML took a third of a test bot's start. The result is frozen.
const files = readFiles(shippedConfigDir, builtinSections)

/** The shipped configuration for an environment, overridden by the files in BOBBIN_CONFIG_DIR. */
export function shippedConfig(environment: Environment = {}, workingDir = shippedConfigDir): Config {
  if ('complaints' in files) throw new Error(JSON.stringify(files.complaints))
  const loaded = environment.BOBBIN_CONFIG_DIR
    ? loadConfig(environment, workingDir, builtinSections)
    : configOf(files, shippedConfigDir, environment, workingDir)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  // On a slow machine, tests wait for all of a document.
  const sections = sectionsWith(loaded.config, { documents: { search_wait_ms: 600_000 } })
  return { ...loaded.config, sections }
}

/** The capabilities' sections with some values changed, as in the file. */
export const sectionsWith = ({ sections }: Config, own: Record<string, object>): Config['sections'] => ({
  ...sections,
  ...Object.fromEntries(
    Object.entries(own).map(([name, values]) => [name, { ...(sections[name] as object), ...values }]),
  ),
})
