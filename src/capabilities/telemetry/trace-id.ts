import { createHash } from 'node:crypto'
import type { TurnId } from '../../domain/ids.ts'

/**
 * The id of a turn's trace. It is made from the turn's id, so that a turn that continues after a wait, a restart or a
 * crash, in any process, stays one trace without anything being stored.
 */
export const traceIdOf = (turn: TurnId): string => createHash('sha256').update(turn).digest('hex').slice(0, 32)
