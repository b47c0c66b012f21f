import type { Courier } from './courier.ts'
import { seconds } from './ids.ts'
import { type Json, stringAt } from './json.ts'
import type { Misbehaviour } from './misbehave.ts'
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

export interface Copies {
  /** How often the event is delivered in all. */
  copies?: number
  /** Gives each copy another event_id and no retry headers, as Slack sometimes does. */
  newEventIds?: boolean
  /** Between the copies. */
  everyMs?: number
  /** Slack Connect: the workspace that owns the channel. */
  hostedBy?: string
  /** The workspace whose installation of the app the event is for. */
  installedIn?: string
}

const families = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const

const scopeOf: Record<string, string> = {
  app_mention: 'app_mentions:read',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
  channel_id_changed: 'groups:read',
  channel_unarchive: 'channels:read',
  file_created: 'files:read',
  group_unarchive: 'groups:read',
  member_joined_channel: 'channels:read',
}

/** Wraps an event in the Events API's envelope, if the app is subscribed and in the channel. */
export class Events {
  readonly #world: World
  readonly #settings: Settings
  readonly #courier: Courier
  readonly #misbehave: Misbehaviour

  constructor(world: World, settings: Settings, courier: Courier, misbehave: Misbehaviour) {
    this.#world = world
    this.#settings = settings
    this.#courier = courier
    this.#misbehave = misbehave
  }

  subscribed(name: string): boolean {
    return this.#settings.events.includes(name)
  }

  /** `channel` is where it happened; the app must be in it. */
  tell(event: Json, channel: string | undefined, asked: Copies = {}) {
    const place = channel === undefined ? undefined : this.#world.channel(channel)
    if (place && !place.members.has(this.#world.bot.id)) return
    const type = stringAt(event, 'type')
    const family = place ? families[place.kind] : 'im'
    const name = type === 'message' ? `message.${family}` : type
    const scope = type === 'message' ? `${family}:history` : scopeOf[type]
    if (!this.subscribed(name) || (scope !== undefined && !this.#settings.scopes.includes(scope))) return
    const { copies = 1, newEventIds = true, everyMs = 0 } = { ...this.#misbehave.copies, ...asked }
    const first = this.#callback(event, place !== undefined, asked)
    for (let copy = 0; copy < copies; copy++) {
      const payload = newEventIds && copy > 0 ? { ...first, event_id: this.#world.ids.next('Ev') } : first
      const bring = () => void this.#courier.event(payload, name)
      if (everyMs > 0 && copy > 0) setTimeout(bring, copy * everyMs).unref()
      else bring()
    }
  }

  #callback(event: Json, inChannel: boolean, asked: Copies): Json {
    const { team, app, bot, ids } = this.#world
    const { installedIn = team.id, hostedBy = installedIn } = asked
    return {
      token: 'verification-token',
      team_id: hostedBy,
      context_team_id: installedIn,
      context_enterprise_id: null,
      api_app_id: app.id,
      event: { event_ts: ids.ts(), ...event },
      type: 'event_callback',
      event_id: ids.next('Ev'),
      event_time: seconds(),
      authorizations: [
        { enterprise_id: null, team_id: installedIn, user_id: bot.id, is_bot: true, is_enterprise_install: false },
      ],
      is_ext_shared_channel: hostedBy !== installedIn,
      ...(inChannel && { event_context: `4-${Buffer.from(ids.next('X')).toString('base64url')}` }),
    }
  }
}
