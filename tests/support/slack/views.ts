import { randomBytes } from 'node:crypto'
import { blocksOf, isObject, type Json, listAt, objectAt, stringAt } from './json.ts'
import type { View } from './types.ts'
import type { World } from './world.ts'

const mostViews = 2_000
const newHash = () => `${Date.now()}.${randomBytes(4).toString('hex')}`

/** Opens it on top of the person's modals, or in place of all of them. */
export function addView(world: World, user: string, content: Json, below?: View): View {
  const id = world.ids.next('V')
  const view: View = {
    id,
    user,
    type: content.type === 'home' ? 'home' : 'modal',
    content: { ...content, blocks: world.withIds(blocksOf(content.blocks)) },
    hash: newHash(),
    rootId: below?.rootId ?? id,
    previousId: below?.id,
    closed: false,
    errors: {},
  }
  world.views.set(id, view)
  for (const oldest of world.views.keys()) {
    if (world.views.size <= mostViews) break
    world.views.delete(oldest)
  }
  return view
}

export function replaceView(world: World, view: View, content: Json) {
  view.content = { ...content, blocks: world.withIds(blocksOf(content.blocks)) }
  view.hash = newHash()
  view.errors = {}
}

const plain = (value: unknown) => (isObject(value) ? { emoji: true, ...value } : null)

/** As payloads and answers have it. */
export function viewObject(world: World, view: View, values: Json = {}): Json {
  const { content } = view
  const modal = view.type === 'modal'
  return {
    id: view.id,
    team_id: world.team.id,
    type: view.type,
    blocks: content.blocks,
    private_metadata: stringAt(content, 'private_metadata'),
    callback_id: stringAt(content, 'callback_id'),
    state: { values },
    hash: view.hash,
    title: modal ? plain(content.title) : { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: content.clear_on_close === true,
    notify_on_close: content.notify_on_close === true,
    close: plain(content.close),
    submit: plain(content.submit),
    previous_view_id: view.previousId ?? null,
    root_view_id: view.rootId,
    app_id: world.app.id,
    external_id: stringAt(content, 'external_id'),
    app_installed_team_id: world.team.id,
    bot_id: world.bot.botId,
  }
}

/** A person's open modals, the lowest first. */
export const modalsOf = (world: World, user: string): View[] =>
  [...world.views.values()].filter((view) => view.user === user && view.type === 'modal' && !view.closed)

const chosen = (element: Json, wanted: unknown): Json | undefined => {
  const groups = listAt(element, 'option_groups').flatMap((group) => listAt(group, 'options'))
  const options = [...listAt(element, 'options'), ...groups]
  return options.find((one) => stringAt(one, 'value') === wanted || stringAt(objectAt(one, 'text'), 'text') === wanted)
}

function chosenOr(element: Json, wanted: unknown): Json {
  const found = chosen(element, wanted)
  if (!found) throw new Error(`no option ${String(wanted)} in ${stringAt(element, 'action_id')}`)
  return found
}

/** The element in `state.values` and in an action, for a value that a person set. */
export function stateOf(element: Json, value: unknown): Json {
  const type = stringAt(element, 'type')
  const many = Array.isArray(value) ? value : value === undefined ? [] : [value]
  switch (type) {
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
    case 'overflow':
      return { type, selected_option: value === undefined ? null : chosenOr(element, value) }
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { type, selected_options: many.map((one) => chosenOr(element, one)) }
    case 'users_select':
      return { type, selected_user: value ?? null }
    case 'multi_users_select':
      return { type, selected_users: many }
    case 'conversations_select':
      return { type, selected_conversation: value ?? null }
    case 'multi_conversations_select':
      return { type, selected_conversations: many }
    case 'channels_select':
      return { type, selected_channel: value ?? null }
    case 'multi_channels_select':
      return { type, selected_channels: many }
    case 'datepicker':
      return { type, selected_date: value ?? null }
    case 'timepicker':
      return { type, selected_time: value ?? null }
    case 'datetimepicker':
      return { type, selected_date_time: value ?? null }
    case 'rich_text_input':
      return { type, rich_text_value: value ?? null }
    case 'file_input':
      return { type, files: many }
    default:
      return { type, value: value ?? null }
  }
}

/** An element's initial value, for `stateOf`. */
export function initialOf(element: Json): unknown {
  const option = objectAt(element, 'initial_option').value
  const options = listAt(element, 'initial_options').map((one) => one.value)
  const rest = ['value', 'user', 'users', 'conversation', 'conversations', 'channel', 'channels', 'date', 'time']
    .map((key) => element[`initial_${key}`])
    .find((one) => one !== undefined)
  return option ?? (options.length > 0 ? options : (rest ?? element.initial_date_time))
}
