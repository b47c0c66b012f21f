import type { Capability } from '../../turn/port/capability.ts'
import { type LoadContext, loadTools } from './load-tools.ts'

/** Tools that are rarely needed, so that most requests need not describe them. */
export const moreTools: Capability = {
  name: 'more-tools',
  tools: [loadTools],
  context: (turn): LoadContext => ({ more: { load: (names) => turn.load(names) } }),
}
