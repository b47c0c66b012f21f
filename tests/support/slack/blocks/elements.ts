import { z } from 'zod'
import { actionId, confirm, imageSource, option, plain, plainOption, richText, style, text, url } from './text.ts'

const focus = { focus_on_load: z.boolean().optional() }
const placeholder = { placeholder: plain(150).optional() }
const dispatch = {
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).optional() })
    .optional(),
}
const most = { max_selected_items: z.number().int().min(1).optional() }
const group = z.strictObject({ label: plain(75), options: z.array(plainOption).min(1).max(100) })
const choices = {
  options: z.array(plainOption).min(1).max(100).optional(),
  option_groups: z.array(group).min(1).max(100).optional(),
}
const filter = {
  filter: z
    .strictObject({
      include: z
        .array(z.enum(['im', 'mpim', 'private', 'public']))
        .min(1)
        .optional(),
      exclude_external_shared_channels: z.boolean().optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .optional(),
  default_to_current_conversation: z.boolean().optional(),
}
const respondable = { response_url_enabled: z.boolean().optional() }
const menu = { action_id: actionId, confirm, ...focus, ...placeholder }

export const button = z.strictObject({
  type: z.literal('button'),
  action_id: actionId,
  text: plain(75),
  value: z.string().max(2_000).optional(),
  url: url.optional(),
  style,
  confirm,
  accessibility_label: z.string().max(75).optional(),
})

export const imageElement = z.strictObject({ type: z.literal('image'), ...imageSource })

const selects = [
  z.strictObject({
    type: z.literal('static_select'),
    ...menu,
    ...choices,
    initial_option: plainOption.optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...menu, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu,
    ...filter,
    ...respondable,
    initial_conversation: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('channels_select'),
    ...menu,
    ...respondable,
    initial_channel: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('external_select'),
    ...menu,
    initial_option: plainOption.optional(),
    min_query_length: z.number().int().optional(),
  }),
  z.strictObject({
    type: z.literal('multi_static_select'),
    ...menu,
    ...most,
    ...choices,
    initial_options: z.array(plainOption).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...menu,
    ...most,
    initial_users: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...menu,
    ...most,
    ...filter,
    initial_conversations: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_channels_select'),
    ...menu,
    ...most,
    initial_channels: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...menu,
    ...most,
    initial_options: z.array(plainOption).optional(),
    min_query_length: z.number().int().optional(),
  }),
] as const

const pickers = [
  z.strictObject({ type: z.literal('datepicker'), ...menu, initial_date: z.iso.date().optional() }),
  z.strictObject({
    type: z.literal('timepicker'),
    ...menu,
    initial_time: z
      .string()
      .regex(/^\d\d:\d\d$/)
      .optional(),
    timezone: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    action_id: actionId,
    confirm,
    ...focus,
    initial_date_time: z.number().int().optional(),
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    action_id: actionId,
    confirm,
    ...focus,
    options: z.array(option).min(1).max(10),
    initial_options: z.array(option).min(1).max(10).optional(),
  }),
  z.strictObject({
    type: z.literal('radio_buttons'),
    action_id: actionId,
    confirm,
    ...focus,
    options: z.array(option).min(1).max(10),
    initial_option: option.optional(),
  }),
] as const

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId,
  confirm,
  options: z.array(plainOption).min(1).max(5),
})

const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  action_id: actionId,
  confirm,
  text: plain(75),
  workflow: z.looseObject({ trigger: z.looseObject({ url }) }),
  style,
  accessibility_label: z.string().max(75).optional(),
})

const richTextInput = z.strictObject({
  type: z.literal('rich_text_input'),
  action_id: actionId,
  ...focus,
  ...placeholder,
  ...dispatch,
  initial_value: richText.optional(),
  min_lines: z.number().int().min(1).max(100).optional(),
  max_lines: z.number().int().min(1).max(100).optional(),
})

const typed = { action_id: actionId, ...focus, ...placeholder, ...dispatch }

const inputs = [
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...typed,
    multiline: z.boolean().optional(),
    initial_value: z.string().max(3_000).optional(),
    min_length: z.number().int().min(0).max(3_000).optional(),
    max_length: z.number().int().min(1).max(3_000).optional(),
  }),
  z.strictObject({ type: z.literal('email_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({ type: z.literal('url_text_input'), ...typed, initial_value: z.string().optional() }),
  z.strictObject({
    type: z.literal('number_input'),
    ...typed,
    is_decimal_allowed: z.boolean(),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('file_input'),
    action_id: actionId,
    filetypes: z.array(z.string()).min(1).optional(),
    max_files: z.number().int().min(1).max(10).optional(),
  }),
  richTextInput,
] as const

export const inActions = z.discriminatedUnion('type', [
  button,
  ...selects,
  ...pickers,
  overflow,
  workflowButton,
  richTextInput,
])
export const inSection = z.discriminatedUnion('type', [
  button,
  imageElement,
  ...selects,
  ...pickers,
  overflow,
  workflowButton,
])
export const inInput = z.discriminatedUnion('type', [...selects, ...pickers, ...inputs])

const feedback = z.strictObject({
  text: plain(75),
  value: z.string().max(2_000),
  accessibility_label: z.string().max(75).optional(),
})

export const inContextActions = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('feedback_buttons'),
    action_id: actionId,
    positive_button: feedback,
    negative_button: feedback,
  }),
  z.strictObject({
    type: z.literal('icon_button'),
    action_id: actionId,
    icon: z.string().min(1),
    text: plain(75),
    value: z.string().max(2_000).optional(),
    visible_to_user_ids: z.array(z.string()).optional(),
    accessibility_label: z.string().max(75).optional(),
    confirm,
  }),
])

export const inContext = z.discriminatedUnion('type', [imageElement, ...text().options])
