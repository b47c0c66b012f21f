import type { Config } from '../../src/config/config.ts'
import { compileRules, type Rules } from '../../src/trust/rules.ts'
import { shippedConfig } from './shipped.ts'

/** The shipped rules, with some of them changed. */
export function rulesWith(changed: Partial<Config['rules']> = {}): Rules {
  return compileRules({ ...shippedConfig().rules, ...changed })
}
