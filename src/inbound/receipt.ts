import type { SessionId } from '../domain/ids.ts'

/** What became of a message that was received. */
export interface Receipt {
  kind: 'new' | 'duplicate'
  session: SessionId
  /** The number of the event that tells of the message: its stream begins there. */
  eventId: number
}
