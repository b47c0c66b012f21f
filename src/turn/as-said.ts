import type { InboxEvent } from '../store/inbox.ts'

/**
 * In the order in which it was said, whatever the order in which it came. What was said before the bot was there stands
 * before what it was asked.
 */
export const asSaid = <Event extends InboxEvent>(events: Event[]): Event[] =>
  events.toSorted((a, b) => rank(a) - rank(b) || saidAt(a) - saidAt(b) || a.seq - b.seq)

/** When it was said, or when it was stored if no platform tells that. */
const saidAt = ({ kind, payload, at }: InboxEvent): number => (kind === 'message' ? payload.at : undefined) ?? at

function rank(event: InboxEvent): number {
  if (event.kind !== 'message') return 3
  const { note, earlier, missed } = event.payload
  // It says that what stands above it was said before.
  if (earlier !== undefined) return note === undefined ? 0 : 1
  return missed === true ? 2 : 3
}
