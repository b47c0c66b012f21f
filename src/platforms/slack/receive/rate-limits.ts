import type { Taker } from './acknowledge.ts'

/** Slack says in place of an event that it drops those of a workspace for a minute. Bolt doesn't know of that. */
export const heedingRateLimits = (taker: Taker, team: string, onLimited: () => void): Taker => ({
  async processEvent(event) {
    const { type, team_id } = event.body
    if (type !== 'app_rate_limited') return taker.processEvent(event)
    if (team_id === team) onLimited()
    await event.ack()
  },
})
