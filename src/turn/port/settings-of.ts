import type { Config } from '../../config/config.ts'
import { settingsIn } from '../../config/section.ts'
import type { Capability } from './capability.ts'

/** A capability's own settings; `{}` if it has none. Throws `bad_setting`. */
export const settingsOf = (config: Pick<Config, 'sections'>, { settings }: Capability): unknown =>
  settings === undefined ? {} : settingsIn(config, settings)
