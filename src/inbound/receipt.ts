import type { SessionId } from '../domain/ids.ts'

export interface Receipt {
  kind: 'new' | 'duplicate'
  session: SessionId
  /** The number of the `message` event. A stream for this message starts there. */
  eventId: number
}

/** Ends the transaction: the message answers one question only, which takes no answer any more. Nothing is stored. */
export class NotTaken extends Error {}
