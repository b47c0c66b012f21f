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
  const { tools } = loaded.config
  const sections = sectionsWith(loaded.config, unhurried(loaded.config))
  return { ...loaded.config, tools: { ...tools, timeoutMs: 600_000 }, sections }
}

/** Programs, readers and pages are bounded by the time of day: on a busy machine, tests wait for all that they do. */
function unhurried({ sections }: Config): Record<string, object> {
  const { recognition } = sections.documents as { recognition: object }
  const { closed } = sections.sandbox as { closed: object }
  const { packages } = sections.skills as { packages: object }
  const timeout_ms = 600_000
  return {
    documents: {
      ...{ search_wait_ms: timeout_ms, parse_ms: timeout_ms },
      recognition: { ...recognition, page_ms: timeout_ms },
    },
    sandbox: { timeout_ms, script_timeout_ms: timeout_ms, closed: { ...closed, timeout_ms } },
    skills: { packages: { ...packages, timeout_ms } },
    web: { timeout_ms },
  }
}

/** The capabilities' sections with some values changed, as in the file. */
export const sectionsWith = ({ sections }: Config, own: Record<string, object>): Config['sections'] => ({
  ...sections,
  ...Object.fromEntries(
    Object.entries(own).map(([name, values]) => [name, { ...(sections[name] as object), ...values }]),
  ),
})
