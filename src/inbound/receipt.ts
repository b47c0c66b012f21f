import type { SessionId } from '../domain/ids.ts'

export interface Receipt {
  kind: 'new' | 'duplicate'
  session: SessionId
  /** The number of the `message` event. A stream for this message starts there. */
  eventId: number
}
