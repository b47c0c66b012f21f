import type { InboxEvent } from '../../store/inbox-event.ts'

/** Sorts messages by when they were said, not when they arrived. Messages from before the mention come first. */
export const asSaid = <Event extends InboxEvent>(events: Event[]): Event[] =>
  events.toSorted((a, b) => rank(a) - rank(b) || saidAt(a) - saidAt(b) || a.seq - b.seq)

/** When it was said, or when it was stored if the platform doesn't say. */
const saidAt = ({ kind, payload, at }: InboxEvent): number => (kind === 'message' ? payload.at : undefined) ?? at

function rank(event: InboxEvent): number {
  if (event.kind !== 'message') return 3
  const { note, earlier, missed } = event.payload
  // The note that ends the earlier messages comes after them.
  if (earlier !== undefined) return note === undefined ? 0 : 1
  return missed === true ? 2 : 3
}
