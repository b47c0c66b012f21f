import { z } from 'zod'

const maybe = z.string().optional().catch(undefined)
const option = z.object({ value: z.string() })

const user = z.object({ id: z.string(), team_id: maybe })

/** A click in a message: where, by whom, and on what. */
export const click = z.object({
  user,
  trigger_id: z.string().catch(''),
  channel: z.object({ id: z.string() }),
  container: z.object({ message_ts: z.string(), thread_ts: maybe }),
  message: z.object({ thread_ts: maybe }).optional().catch(undefined),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        block_id: z.string().catch(''),
        value: maybe,
        selected_option: option.optional().catch(undefined),
      }),
    )
    .min(1),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), z.unknown())) }).catch({ values: {} }),
})
export type Click = z.output<typeof click>

/** A click on the person's own Home. */
export const homeClick = z.object({
  user,
  view: z.object({ type: z.literal('home'), private_metadata: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), value: maybe })).min(1),
})
export type HomeClick = z.output<typeof homeClick>

export const chosen = z.object({ selected_options: z.array(option).catch([]) })

const filled = z.object({
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
})

/** A submitted form. */
export const submission = z.object({
  user,
  view: z.object({
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), filled)) }),
  }),
})
export type Submission = z.output<typeof submission>

export const slash = z.object({
  user_id: z.string(),
  channel_id: z.string(),
  text: z.string().catch(''),
  command: z.string().catch(''),
  trigger_id: z.string(),
})
