import type { z } from 'zod'
import type { BoltApp } from '../api/bolt.ts'
import { actions, forms } from '../cards/action-ids.ts'
import { feedbackForm } from '../cards/feedback-form.ts'
import type { Homes } from '../post/homes.ts'
import { type ClickDeps, Clicks } from './clicks.ts'
import { commanded } from './commands.ts'
import { explain } from './feedback.ts'
import { decideAtHome } from './home.ts'
import { click, homeClick, slash, submission } from './payload.ts'
import { submitted } from './submissions.ts'

const answering = [actions.approve, actions.deny, actions.decline, actions.select, actions.send]
const opening = [actions.always, actions.denyWhy, actions.other, actions.fill]

/** Clicks, forms and commands, by Slack's own names. */
export function listenToClicks(app: BoltApp, deps: ClickDeps & { homes: Homes }): void {
  const { slack, sink, speaker, homes } = deps
  const clicks = new Clicks(deps)

  function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> | undefined {
    const parsed = schema.safeParse(body)
    if (parsed.success) return parsed.data
    slack.log.info({ platform: 'slack', reason: parsed.error.message }, 'a click was not understood')
    return undefined
  }

  const on = (action: string | RegExp, take: (taken: z.output<typeof click>) => Promise<void>) =>
    app.action(action, async ({ ack, body }) => {
      const taken = read(click, body)
      if (taken !== undefined) await take(taken)
      await ack()
    })

  for (const action of answering) on(action, (taken) => clicks.answer(taken))
  on(new RegExp(`^${actions.option}\\d+$`), (taken) => clicks.answer(taken))
  for (const action of opening) on(action, (taken) => clicks.openForm(taken))
  on(actions.feedback, (taken) => clicks.feedback(taken))

  for (const action of [actions.homeApprove, actions.homeDeny]) {
    app.action(action, async ({ ack, body }) => {
      const taken = read(homeClick, body)
      const show = taken && (await decideAtHome({ sink, homes }, taken))
      await ack()
      await show?.()
    })
  }

  for (const form of Object.values(forms)) {
    app.view(form, async ({ ack, body }) => {
      const taken = read(submission, body)
      const answer = taken && (await submitted({ slack, sink, speaker }, taken))
      await (answer === undefined ? ack() : ack(answer))
    })
  }

  app.view(feedbackForm, async ({ ack, body }) => {
    const taken = read(submission, body)
    if (taken !== undefined) await explain({ slack, sink }, taken)
    await ack()
  })

  app.command('/bobbin', async ({ ack, body, respond }) => {
    const taken = read(slash, body)
    const answer = taken && (await commanded(slack, sink, taken, respond))
    await (answer === undefined ? ack() : ack(answer))
  })
}
