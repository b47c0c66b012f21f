import type { App } from '@slack/bolt'

/** What takes an event in: Bolt's App, or what stands before it. */
export type Taker = Pick<App, 'processEvent'>

/**
 * Bolt acknowledges events before its listeners run. Here it gets an ack that only remembers the answer, and Slack
 * hears it once the listeners have succeeded: what they received is stored by then. If one throws, or the bot has
 * stopped meanwhile, nothing is acknowledged, and Slack sends the event again.
 */
export const acknowledgedWhenStored = (taker: Taker, isStopped: () => boolean): Taker => ({
  async processEvent(event) {
    const answers: unknown[] = []
    await taker.processEvent({
      ...event,
      ack: async (answer?: unknown) => {
        answers.push(answer)
      },
    })
    if (isStopped()) throw new Error('the bot stopped before this was acknowledged')
    await event.ack(answers[0])
  },
})
