import { z } from 'zod'

/** Limits are those of the Block Kit reference and of the descriptions in @slack/types. */
export const blockId = z.string().min(1).max(255).optional()
export const actionId = z.string().min(1).max(255).optional()

export const plain = (max = 3_000) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() })

export const mrkdwn = (max = 3_000) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() })

export const text = (max = 3_000) => z.discriminatedUnion('type', [plain(max), mrkdwn(max)])

export const url = z.url().max(3_000)

export const style = z.enum(['primary', 'danger']).optional()

export const confirm = z
  .strictObject({
    title: plain(100).optional(),
    text: text(300),
    confirm: plain(30).optional(),
    deny: plain(30).optional(),
    style,
  })
  .optional()

export const option = z.strictObject({
  text: text(75),
  value: z.string().max(75).optional(),
  description: text(75).optional(),
  url: url.optional(),
})

export const plainOption = z.strictObject({
  text: plain(75),
  value: z.string().max(75).optional(),
  description: plain(75).optional(),
  url: url.optional(),
})

export const imageSource = {
  image_url: url.optional(),
  slack_file: z.strictObject({ id: z.string().optional(), url: z.string().optional() }).optional(),
  alt_text: z.string().min(1).max(2_000),
}

const textStyle = z
  .strictObject({
    bold: z.boolean().optional(),
    code: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    underline: z.boolean().optional(),
  })
  .optional()

const inline = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: textStyle }),
  z.strictObject({
    type: z.literal('link'),
    url: z.string().min(1),
    text: z.string().optional(),
    unsafe: z.boolean().optional(),
    style: textStyle,
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string(), style: textStyle }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style: textStyle }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style: textStyle }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style: textStyle }),
  z.strictObject({ type: z.literal('team'), team_id: z.string(), style: textStyle }),
  z.strictObject({ type: z.literal('color'), value: z.string(), style: textStyle }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style: textStyle,
  }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.number(),
    format: z.string(),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style: textStyle,
  }),
])

const border = z.union([z.literal(0), z.literal(1)]).optional()
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline) })

export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId,
  elements: z.array(
    z.discriminatedUnion('type', [
      section,
      z.strictObject({
        type: z.literal('rich_text_list'),
        style: z.enum(['bullet', 'ordered']),
        elements: z.array(section),
        indent: z.number().int().min(0).max(8).optional(),
        offset: z.number().int().optional(),
        border,
      }),
      z.strictObject({
        type: z.literal('rich_text_preformatted'),
        elements: z.array(inline),
        border,
        language: z.string().optional(),
      }),
      z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
    ]),
  ),
})
