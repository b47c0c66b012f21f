import type { z } from 'zod'
import { any, type BoltApp } from '../api/bolt.ts'
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

const anyOption = new RegExp(`^${actions.option}\\d+$`)

type Take = (body: unknown, ack: () => Promise<void>) => Promise<void>

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

  const clicked =
    (take: (taken: z.output<typeof click>) => Promise<void>): Take =>
    async (body, ack) => {
      const taken = read(click, body)
      if (taken !== undefined) await take(taken)
      await ack()
    }
  const answer = clicked((taken) => clicks.answer(taken))
  const open = clicked((taken) => clicks.openForm(taken))
  const decide: Take = async (body, ack) => {
    const taken = read(homeClick, body)
    const show = taken && (await decideAtHome({ sink, homes }, taken))
    await ack()
    await show?.()
  }
  const byAction = new Map<string, Take>([
    ...answering.map((action) => [action, answer] as const),
    ...opening.map((action) => [action, open] as const),
    ...[actions.homeApprove, actions.homeDeny].map((action) => [action, decide] as const),
    [actions.feedback, clicked((taken) => clicks.feedback(taken))],
  ])
  app.action(any, async ({ ack, body, action }) => {
    const id = 'action_id' in action ? action.action_id : ''
    await (anyOption.test(id) ? answer : byAction.get(id))?.(body, ack)
  })

  const answerForms = new Set<string>(Object.values(forms))
  app.view(any, async ({ ack, body, view }) => {
    const isFeedback = view.callback_id === feedbackForm
    if (!isFeedback && !answerForms.has(view.callback_id)) return
    const taken = read(submission, body)
    if (isFeedback && taken !== undefined) await explain({ slack, sink }, taken)
    const said = isFeedback ? undefined : taken && (await submitted({ slack, sink, speaker }, taken))
    await (said === undefined ? ack() : ack(said))
  })

  app.command('/bobbin', async ({ ack, body, respond }) => {
    const taken = read(slash, body)
    const answer = taken && (await commanded(slack, sink, taken, respond))
    await (answer === undefined ? ack() : ack(answer))
  })
}
