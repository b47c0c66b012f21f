import { createHash } from 'node:crypto'
import type { TurnId } from '../../domain/ids.ts'

/**
 * A turn's trace. It is made from the turn's id, so that a turn that goes on after a wait, a restart or a crash, in
 * whichever process, stays one trace, and nothing has to be stored for that.
 */
export const traceIdOf = (turn: TurnId): string => createHash('sha256').update(turn).digest('hex').slice(0, 32)
