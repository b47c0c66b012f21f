import type { Config } from '../../src/config/config.ts'
import { loadConfig, shippedConfigDir } from '../../src/config/load.ts'
import { compileRules, type Rules } from '../../src/trust/rules.ts'

/** The shipped rules, with some of them changed. */
export function rulesWith(changed: Partial<Config['rules']> = {}): Rules {
  const loaded = loadConfig({ BOBBIN_CONFIG_DIR: shippedConfigDir }, shippedConfigDir)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  return compileRules({ ...loaded.config.rules, ...changed })
}
