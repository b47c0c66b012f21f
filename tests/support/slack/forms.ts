import { Refusal } from './args.ts'
import { checkView } from './blocks/view.ts'
import { demand } from './content.ts'
import { isObject, type Json, listAt, objectAt, stringAt } from './json.ts'
import { type Control, controlsIn, renderBlocks } from './render.ts'
import type { Slack } from './slack.ts'
import type { View } from './types.ts'
import { addView, initialOf, modalsOf, replaceView, stateOf } from './views.ts'

/** A modal as the person sees it. */
export interface ShownView {
  id: string
  title: string
  text: string
  callbackId: string
  privateMetadata: string
  fields: (Control & { optional: boolean })[]
  buttons: Control[]
  /** By block id. */
  errors: Record<string, string>
}

const words = (content: Json, key: string) => stringAt(objectAt(content, key), 'text')

export function shownView({ id, content, errors }: View): ShownView {
  const blocks = listAt(content, 'blocks')
  const inputs = blocks.filter(({ type }) => type === 'input')
  const rest = blocks.filter(({ type }) => type !== 'input')
  return {
    id,
    title: words(content, 'title'),
    text: renderBlocks(blocks),
    callbackId: stringAt(content, 'callback_id'),
    privateMetadata: stringAt(content, 'private_metadata'),
    fields: inputs.flatMap((block) =>
      controlsIn([block]).map((one) => ({ ...one, label: words(block, 'label'), optional: block.optional === true })),
    ),
    buttons: controlsIn(rest),
    errors,
  }
}

/** Errors inside an ack reach nobody, so they are recorded as violations. */
export function guarded(slack: Slack, what: string, act: () => unknown): boolean {
  try {
    act()
    return true
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    slack.violations.push(`${what}: ${thrown.message} ${JSON.stringify(thrown.extra)}`)
    return false
  }
}

/** `state.values` for what the person has filled in; the client lets nobody leave out what is required. */
export function filledIn(view: View, values: Record<string, unknown>, leaving = false): Json {
  const state: Record<string, Json> = {}
  const used = new Set<string>()
  for (const block of listAt(view.content, 'blocks').filter(({ type }) => type === 'input')) {
    const element = objectAt(block, 'element')
    const [blockId, actionId] = [stringAt(block, 'block_id'), stringAt(element, 'action_id')]
    const label = words(block, 'label')
    const key = [actionId, blockId, label].find((one) => one in values)
    if (key !== undefined) used.add(key)
    const value = key === undefined ? initialOf(element) : values[key]
    const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    if (leaving && empty && block.optional !== true) throw new Error(`the modal does not let ${label} be empty`)
    state[blockId] = { [actionId]: stateOf(element, value === '' ? undefined : value) }
  }
  const unknown = Object.keys(values).filter((key) => !used.has(key))
  if (unknown.length > 0) throw new Error(`no field ${unknown.join(', ')} in view ${view.id}`)
  return state
}

function showErrors(slack: Slack, view: View, errors: unknown) {
  const blocks = new Set(listAt(view.content, 'blocks').map((block) => stringAt(block, 'block_id')))
  for (const [block, said] of Object.entries(isObject(errors) ? errors : {})) {
    if (!blocks.has(block)) slack.violations.push(`response_action errors: no block ${block}`)
    view.errors[block] = String(said)
  }
}

/** Applies the app's response to a submission; an empty one closes the view. */
export function submissionAnswered(slack: Slack, view: View, answer: unknown) {
  const { world } = slack
  const { response_action: action, errors, view: next } = isObject(answer) ? answer : {}
  view.errors = {}
  if (action === undefined) view.closed = true
  if (action === 'clear') for (const one of modalsOf(world, view.user)) one.closed = true
  if (action === 'errors') showErrors(slack, view, errors)
  if (action !== 'update' && action !== 'push') return
  if (!guarded(slack, `response_action ${action}`, () => demand(checkView(next))) || !isObject(next)) return
  if (action === 'update') replaceView(world, view, next)
  else addView(world, view.user, next, view)
}
