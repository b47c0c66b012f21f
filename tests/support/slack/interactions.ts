import { filledIn, guarded, type ShownView, shownView, submissionAnswered } from './forms.ts'
import { compact, isObject, type Json, listAt } from './json.ts'
import { messageObject } from './message-objects.ts'
import { type Control, controlsIn } from './render.ts'
import { respond } from './respond.ts'
import type { ResponseTarget } from './response-urls.ts'
import type { Slack } from './slack.ts'
import type { Message, View } from './types.ts'
import { modalsOf, stateOf, viewObject } from './views.ts'

export interface ClickOptions {
  channel?: string
  /** What is chosen in a menu: an option's value or label, an id; several as a list. */
  value?: unknown
  /** Delivers this person's last click again, unchanged. */
  sameTrigger?: boolean
  /** A control that the message had before it was changed or deleted. */
  stale?: boolean
}

export interface Clicked {
  /** Without an ack in time, the person sees a warning. */
  acked: boolean
  answer: unknown
}

export interface Submitted extends Clicked {
  /** By block id: what the modal shows beside its fields. */
  errors: Record<string, string>
  closed: boolean
}

const fits = (control: Control, which: string) => control.action_id === which || control.label === which

/** Clicks, forms and commands, over either transport. */
export class Interactions {
  readonly #slack: Slack
  readonly #last = new Map<string, Json>()

  constructor(slack: Slack) {
    this.#slack = slack
  }

  /** A button by its action_id or its label, in a message or in a view (by its id). */
  async click(user: string, where: string, which: string, options: ClickOptions = {}): Promise<Clicked> {
    const { world, courier } = this.#slack
    const { id } = world.person(user)
    const again = this.#last.get(id)
    if (options.sameTrigger && again)
      return this.#done(await courier.interaction('interactive', again, 'block_actions'))
    const view = world.views.get(where)
    const payload = view ? this.#viewClick(id, view, which, options) : this.#messageClick(id, where, which, options)
    this.#last.set(id, payload)
    return this.#done(await courier.interaction('interactive', payload, 'block_actions'))
  }

  /** The topmost modal of a person. */
  modal(user: string): ShownView | undefined {
    const view = modalsOf(this.#slack.world, this.#slack.world.person(user).id).at(-1)
    return view && shownView(view)
  }

  /** What the app has published on a person's Home. */
  home(user: string): ShownView | undefined {
    const { id } = this.#slack.world.person(user)
    const view = [...this.#slack.world.views.values()].find((one) => one.user === id && one.type === 'home')
    return view && shownView(view)
  }

  /** Values by block id, action id or label; the others stay unchanged. */
  async submit(user: string, viewId: string, values: Record<string, unknown>): Promise<Submitted> {
    const { world, courier, triggers } = this.#slack
    const { id } = world.person(user)
    const view = this.#open(viewId, id)
    const state = filledIn(view, values, true)
    const payload = {
      ...this.#common(id, 'view_submission'),
      trigger_id: triggers.make(id),
      view: viewObject(world, view, state),
      response_urls: [],
    }
    const brought = await courier.interaction('interactive', payload, 'view_submission')
    if (brought.acked) submissionAnswered(this.#slack, view, brought.answer)
    world.changed()
    return { ...this.#done(brought), errors: view.errors, closed: view.closed }
  }

  async closeView(user: string, viewId: string): Promise<Clicked | undefined> {
    const { world, courier } = this.#slack
    const { id } = world.person(user)
    const view = this.#open(viewId, id)
    view.closed = true
    world.changed()
    if (view.content.notify_on_close !== true) return undefined
    const payload = { ...this.#common(id, 'view_closed'), view: viewObject(world, view), is_cleared: false }
    return this.#done(await courier.interaction('interactive', payload, 'view_closed'))
  }

  /** Native commands do not work inside threads, so there is no thread to give. */
  async slash(user: string, command: string, text: string, channel: string): Promise<Clicked> {
    const { world, courier, triggers, responseUrls, origin } = this.#slack
    const { id, name } = world.person(user)
    const place = world.channel(channel)
    const target: ResponseTarget = { channel: place.id, user: id, ts: undefined, threadTs: undefined }
    const payload = {
      token: 'verification-token',
      team_id: world.team.id,
      team_domain: world.team.domain,
      channel_id: place.id,
      channel_name: place.kind === 'im' ? 'directmessage' : place.name,
      user_id: id,
      user_name: name,
      command,
      text,
      api_app_id: world.app.id,
      is_enterprise_install: 'false',
      response_url: origin() + responseUrls.make(target),
      trigger_id: triggers.make(id),
    }
    const brought = await courier.interaction('slash_commands', payload, command)
    if (brought.acked) this.#said(target, brought.answer)
    return this.#done(brought)
  }

  #done(brought: { acked: boolean; answer?: unknown }): Clicked {
    return { acked: brought.acked, answer: brought.answer }
  }

  /** A command's ack may contain the response: text or a message. */
  #said(target: ResponseTarget, answer: unknown) {
    const fields = typeof answer === 'string' ? { text: answer } : isObject(answer) ? answer : {}
    if (Object.keys(fields).length === 0) return
    guarded(this.#slack, 'ack of a command', () => respond(this.#slack, target, fields))
    this.#slack.world.changed()
  }

  #common(user: string, type: string): Json {
    const { world } = this.#slack
    const { name, team = world.team.id } = world.person(user)
    return {
      type,
      user: { id: user, username: name, name, team_id: team },
      api_app_id: world.app.id,
      token: 'verification-token',
      team: { id: world.team.id, domain: world.team.domain },
      enterprise: null,
      is_enterprise_install: false,
    }
  }

  #messageClick(user: string, ts: string, which: string, options: ClickOptions): Json {
    const { world, triggers, responseUrls, origin } = this.#slack
    const gone = options.stale ? world.removed.find((one) => one.ts === ts) : undefined
    const message = world.message(ts, options.channel && world.channel(options.channel).id) ?? gone
    if (!message) throw new Error(`no message ${ts}`)
    const control = this.#controlIn(message, which, options.stale ?? false)
    const channel = world.channel(message.channel)
    const { threadTs, ephemeralTo } = message
    const hidden = ephemeralTo !== undefined
    const value = stateOf(control.element, options.value)
    const chosen = message.chosen.get(user) ?? {}
    message.chosen.set(user, chosen)
    if (control.options.length > 0 || 'selected_user' in value) {
      chosen[control.block_id] = { ...chosen[control.block_id], [control.action_id]: value }
    }
    const target = { channel: channel.id, user, ts, threadTs }
    return {
      ...this.#common(user, 'block_actions'),
      container: compact({
        type: 'message',
        message_ts: ts,
        channel_id: channel.id,
        is_ephemeral: hidden,
        thread_ts: threadTs,
      }),
      trigger_id: triggers.make(user),
      channel: { id: channel.id, name: channel.kind === 'im' ? 'directmessage' : channel.name },
      ...(!hidden && { message: messageObject(world, origin(), message) }),
      state: { values: chosen },
      response_url: origin() + responseUrls.make(target),
      actions: [this.#action(control, value)],
    }
  }

  #viewClick(user: string, view: View, which: string, options: ClickOptions): Json {
    const { world, triggers } = this.#slack
    const control = controlsIn(listAt(view.content, 'blocks')).find((one) => fits(one, which))
    if (!control) throw new Error(`nothing called ${which} in view ${view.id}`)
    const shown = viewObject(world, view, filledIn(view, {}))
    return {
      ...this.#common(user, 'block_actions'),
      container: { type: 'view', view_id: view.id },
      trigger_id: triggers.make(user),
      view: shown,
      actions: [this.#action(control, stateOf(control.element, options.value))],
    }
  }

  #controlIn(message: Message, which: string, stale: boolean): Control {
    const attached = message.attachments.flatMap((one) => listAt(one, 'blocks'))
    const versions = stale ? [...message.before, message.blocks] : message.deleted ? [] : [message.blocks]
    const found = [...versions, attached]
      .toReversed()
      .flatMap((blocks) => controlsIn(blocks))
      .find((one) => fits(one, which))
    if (!found) throw new Error(`nothing called ${which} in message ${message.ts}`)
    return found
  }

  #action(control: Control, state: Json): Json {
    const { element } = control
    const pressed = ['button', 'feedback_buttons', 'icon_button'].includes(control.type)
    return compact({
      action_id: control.action_id,
      block_id: control.block_id,
      ...(pressed
        ? { text: { type: 'plain_text', text: control.label, emoji: true }, value: control.value || undefined }
        : { ...state, placeholder: element.placeholder }),
      style: element.style,
      type: control.type,
      action_ts: this.#slack.world.ids.ts(),
    })
  }

  #open(viewId: string, user: string): View {
    const view = this.#slack.world.views.get(viewId)
    if (!view || view.closed || view.user !== user) throw new Error(`no open view ${viewId} of this person`)
    return view
  }
}
