import type { Capability } from '../../turn/port/capability.ts'
import { finish } from './finish.ts'

/** Ending a turn with an answer. */
export const ending: Capability = { name: 'ending', tools: [finish] }
