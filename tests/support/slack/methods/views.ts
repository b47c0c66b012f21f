import { type Args, refuse, violate } from '../args.ts'
import { checkView } from '../blocks/view.ts'
import { demand } from '../content.ts'
import type { Json } from '../json.ts'
import { stringAt } from '../json.ts'
import type { Methods } from '../method.ts'
import type { Slack } from '../slack.ts'
import type { View } from '../types.ts'
import { addView, modalsOf, replaceView, viewObject } from '../views.ts'

function contentOf(args: Args, type: 'modal' | 'home'): Json {
  const view = args.object('view')
  if (view === undefined) return violate('invalid_arguments', ['[ERROR] missing required field: view'])
  demand(checkView(view))
  if (view.type !== type) return violate('invalid_arguments', [`[ERROR] expected a view of type ${type}`])
  return view
}

function unique({ world }: Slack, content: Json, own?: View) {
  const id = stringAt(content, 'external_id')
  const taken = [...world.views.values()].some(
    (one) => one !== own && !one.closed && id !== '' && stringAt(one.content, 'external_id') === id,
  )
  if (taken) refuse('duplicate_external_id')
}

function opened(slack: Slack, args: Args, push: boolean): Json {
  const content = contentOf(args, 'modal')
  const taken = slack.triggers.take(args.maybe('trigger_id') ?? args.text('interactivity_pointer'))
  if ('error' in taken) return refuse(taken.error)
  unique(slack, content)
  const open = modalsOf(slack.world, taken.user)
  if (push && open.length >= 3) return refuse('push_limit_reached')
  // A new modal replaces the open ones.
  if (!push) for (const one of open) one.closed = true
  const view = addView(slack.world, taken.user, content, push ? open.at(-1) : undefined)
  return { view: viewObject(slack.world, view) }
}

function update(slack: Slack, args: Args): Json {
  const { world } = slack
  const id = args.maybe('view_id')
  const external = id === undefined ? args.text('external_id') : undefined
  const view = [...world.views.values()].find((one) =>
    id === undefined ? stringAt(one.content, 'external_id') === external : one.id === id,
  )
  if (!view || view.closed) return refuse('not_found')
  const content = contentOf(args, view.type)
  const hash = args.maybe('hash')
  if (hash !== undefined && hash !== view.hash) return refuse('hash_conflict')
  unique(slack, content, view)
  replaceView(world, view, content)
  return { view: viewObject(world, view) }
}

function publish(slack: Slack, args: Args): Json {
  const { world } = slack
  const user = args.text('user_id')
  if (!world.people.has(user)) return refuse('user_not_found')
  const content = contentOf(args, 'home')
  const held = [...world.views.values()].find((one) => one.user === user && one.type === 'home')
  const hash = args.maybe('hash')
  if (hash !== undefined && held && hash !== held.hash) return refuse('hash_conflict')
  if (held) replaceView(world, held, content)
  return { view: viewObject(world, held ?? addView(world, user, content)) }
}

const trigger = ['trigger_id', 'interactivity_pointer', 'view']

export const viewMethods: Methods = {
  'views.open': { scopes: [], tier: 4, args: trigger, run: (slack, args) => opened(slack, args, false) },
  'views.push': { scopes: [], tier: 4, args: trigger, run: (slack, args) => opened(slack, args, true) },
  'views.update': { scopes: [], tier: 4, args: ['view', 'view_id', 'external_id', 'hash'], run: update },
  'views.publish': { scopes: [], tier: 4, args: ['view', 'user_id', 'hash'], run: publish },
}
