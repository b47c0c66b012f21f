import type { Nonces } from './actions/nonces.ts'
import type { Faults } from './faults.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Commands } from './interactions/commands.ts'
import type { Interactions } from './interactions/interactions.ts'
import type { Settings } from './options.ts'
import type { Cdn } from './world/cdn.ts'
import type { World } from './world/world.ts'

/** What all parts of the server share. */
export interface Context {
  settings: Settings
  world: World
  cdn: Cdn
  gateway: Gateway
  interactions: Interactions
  commands: Commands
  faults: Faults
  nonces: Nonces
  /** Requests that Discord would have refused, or that people would not have seen. */
  violations: string[]
}
