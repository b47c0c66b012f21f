import type { Taker } from './acknowledge.ts'

/** Instead of an event, Slack may send that it drops a workspace’s events for a minute. Bolt doesn’t know that one. */
export const heedingRateLimits = (taker: Taker, team: string, onLimited: () => void): Taker => ({
  async processEvent(event) {
    const { type, team_id } = event.body
    if (type !== 'app_rate_limited') return taker.processEvent(event)
    if (team_id === team) onLimited()
    await event.ack()
  },
})
