import { z } from 'zod'
import { button, imageElement, inActions, inContext, inContextActions, inInput, inSection } from './elements.ts'
import { blockId, imageSource, mrkdwn, plain, richText, text, url } from './text.ts'

const named = { block_id: blockId }
const short = z.string().min(1).max(256)
const status = z.enum(['pending', 'in_progress', 'complete', 'error'])
const source = z.strictObject({ type: z.literal('url'), url, text: z.string().min(1) })

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
  richText,
])

const task = {
  task_id: z.string().min(1).max(255),
  title: short,
  status,
  details: richText.optional(),
  output: richText.optional(),
  sources: z.array(source).optional(),
}

/** A chunk of a stream: the same texts as a task card, but plain. */
export const chunk = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('task_update'),
    id: z.string().min(1).max(255),
    title: short,
    status,
    details: z.string().max(256).optional(),
    output: z.string().max(256).optional(),
    sources: z.array(source).optional(),
  }),
  z.strictObject({ type: z.literal('plan_update'), title: short }),
  z.strictObject({ type: z.literal('blocks'), blocks: z.array(z.unknown()).min(1).max(50) }),
])

const simple = [
  z.strictObject({ type: z.literal('divider'), ...named }),
  z.strictObject({ type: z.literal('header'), ...named, text: plain(150) }),
  z.strictObject({ type: z.literal('image'), ...named, ...imageSource, title: plain(2_000).optional() }),
  z.strictObject({ type: z.literal('file'), ...named, source: z.literal('remote'), external_id: z.string() }),
  z.strictObject({ type: z.literal('context'), ...named, elements: z.array(inContext).min(1).max(10) }),
  z.strictObject({ type: z.literal('actions'), ...named, elements: z.array(inActions).min(1).max(25) }),
  z.strictObject({
    type: z.literal('section'),
    ...named,
    text: text(3_000).optional(),
    fields: z.array(text(2_000)).min(1).max(10).optional(),
    accessory: inSection.optional(),
    expand: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('input'),
    ...named,
    label: plain(2_000),
    hint: plain(2_000).optional(),
    optional: z.boolean().optional(),
    dispatch_action: z.boolean().optional(),
    element: inInput,
  }),
  z.strictObject({
    type: z.literal('table'),
    ...named,
    rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
    column_settings: z
      .array(
        z
          .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
          .nullable(),
      )
      .max(20)
      .optional(),
  }),
  z.strictObject({
    type: z.literal('video'),
    ...named,
    video_url: url,
    thumbnail_url: url,
    alt_text: z.string(),
    title: plain(199),
    title_url: url.optional(),
    author_name: z.string().max(49).optional(),
    provider_name: z.string().optional(),
    provider_icon_url: url.optional(),
    description: plain().optional(),
  }),
  richText,
] as const

const card = z.strictObject({
  type: z.literal('card'),
  ...named,
  hero_image: imageElement.optional(),
  icon: imageElement.optional(),
  title: text(150).optional(),
  subtitle: text(150).optional(),
  body: text(200).optional(),
  actions: z.array(button).optional(),
})

const forMessages = [
  z.strictObject({ type: z.literal('markdown'), ...named, text: z.string().min(1).max(12_000) }),
  z.strictObject({
    type: z.literal('context_actions'),
    ...named,
    elements: z.array(inContextActions).min(1).max(5),
  }),
  z.strictObject({ type: z.literal('task_card'), ...named, ...task }),
  z.strictObject({
    type: z.literal('plan'),
    ...named,
    plan_id: z.string().optional(),
    title: short,
    tasks: z
      .array(z.strictObject({ type: z.literal('task_card').optional(), ...named, ...task }))
      .max(50)
      .optional(),
  }),
  z.strictObject({
    type: z.literal('alert'),
    ...named,
    text: text(),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
  card,
  z.strictObject({ type: z.literal('carousel'), ...named, elements: z.array(card).min(1).max(10) }),
  z.strictObject({
    type: z.literal('container'),
    ...named,
    title: plain(150).optional(),
    rich_text_title: richText.optional(),
    subtitle: z.union([plain(150), mrkdwn(150)]).optional(),
    child_blocks: z.array(z.discriminatedUnion('type', simple)).min(1).max(10),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    icon: imageElement.optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('data_table'),
    ...named,
    caption: z.string().min(1),
    rows: z.array(z.array(cell).min(1).max(20)).min(2).max(101),
    page_size: z.number().int().min(1).max(100).optional(),
    row_header_column_index: z.number().int().min(0).optional(),
  }),
  z.looseObject({ type: z.literal('data_visualization'), ...named }),
] as const

/** In messages everything but what only a modal can hold; in modals and Home nothing of the agents' blocks. */
export const messageBlock = z.discriminatedUnion('type', [...simple, ...forMessages])
export const viewBlock = z.discriminatedUnion('type', simple)
