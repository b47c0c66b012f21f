import { isOutage } from '../../../kit/failure.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { superseded } from '../../calls/scheduler.ts'
import type { HomeOf, InboundSink } from '../../inbound-sink.ts'
import { isLimited, reasonIn } from '../api/errors.ts'
import { homeView } from '../cards/home.ts'
import { asPerson } from '../directory/people.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'

/** How many Homes follow what happens, and for how long after they were opened. */
const mostOpen = 50
const followedMs = 30 * 60_000
/** How long a Home that is followed shows what is in the channels that its person was in, ms. */
const projectsKeptMs = 5 * 60_000
/** The longest pause between two looks while something is away, as a multiple of the usual one. */
const longestPause = 32

/** The most channels of a person that are read, in pages. */
const channelsAtOnce = 1_000
const mostPages = 5

interface Open {
  user: string
  /** Where they talk to the bot directly. */
  channel: string
  since: number
  shown: string
  /** What became of their click, until it is shown. */
  notice: string | undefined
  /** The projects that they were in when Slack was asked. */
  projects?: { found: Set<string>; at: number }
}

/** The Home of each person: made anew when they open it, and for a while afterwards when something may have changed. */
export class Homes {
  readonly #slack: SlackWorkspace
  readonly #sink: InboundSink
  readonly #everyMs: number
  readonly #open = new BoundedMap<Open>(mostOpen)
  readonly #users = new Set<string>()
  /** Set until the renewal has ended. */
  #timer: NodeJS.Timeout | undefined
  #isDue = false
  /** It doubles while an outage lasts, or Slack has no room. */
  #pause = 1
  #isAway = false
  /** In this renewal, Slack refused to say where somebody is, because it was asked too often. */
  #isLimited = false
  #stopped = false

  /** Homes that are followed are looked at again at most this often. */
  constructor(slack: SlackWorkspace, sink: InboundSink, everyMs: number) {
    this.#slack = slack
    this.#sink = sink
    this.#everyMs = everyMs
  }

  /** Somebody has opened theirs. Never throws. */
  async opened(user: string, channel: string, notice?: string): Promise<void> {
    const open = { user, channel, since: this.#slack.clock.now(), shown: '', notice }
    this.#open.set(user, open)
    this.#users.add(user)
    await this.#publish(open, true)
  }

  /** Whose Home it is. `channel`: where they talk to the bot directly. `given`: if not the projects they are in now. */
  async owner(user: string, channel: string, given?: Set<string>): Promise<HomeOf> {
    const { me, people } = this.#slack
    const person = asPerson(await people.whoMay(user))
    const projects = given ?? (await this.#projectsOf(user, true))
    return { person, tenant: me.team, projects: projects.add(channel) }
  }

  /** Something was posted, so a card, an alarm or a sum may be another one. */
  changed(): void {
    if (this.#stopped || this.#users.size === 0) return
    this.#isDue = true
    this.#timer ??= setTimeout(() => void this.#renew(), this.#everyMs * this.#pause).unref()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #renew(): Promise<void> {
    this.#isDue = false
    this.#isAway = false
    this.#isLimited = false
    const now = this.#slack.clock.now()
    for (const user of this.#users) {
      const open = this.#open.get(user)
      if (open === undefined || now - open.since > followedMs) {
        this.#open.delete(user)
        this.#users.delete(user)
      } else if (this.#isLimited && !this.#isFresh(open)) this.#isDue = true
      else await this.#publish(open, false)
    }
    this.#pause = this.#isAway ? Math.min(2 * this.#pause, longestPause) : 1
    this.#timer = undefined
    if (this.#isDue) this.changed()
  }

  /** If `waits` is false, then not for a busy Slack, because other Homes wait for their turn. */
  async #publish(open: Open, waits: boolean): Promise<void> {
    const { api, log } = this.#slack
    try {
      const of = await this.owner(open.user, open.channel, await this.#lately(open, waits))
      const view = homeView(await this.#sink.home(of), open.channel, open.notice)
      const shown = JSON.stringify(view)
      if (this.#stopped || shown === open.shown) return
      const call = { bucket: 'views.publish', priority: 'progress', coalesce: `home ${open.user}` } as const
      const done = await api.write(call, (client) => client.views.publish({ user_id: open.user, view }))
      // If there was no room for it, it is still to be shown.
      if (done === superseded) this.changed()
      else Object.assign(open, { shown, notice: undefined })
    } catch (thrown) {
      // It is made again once that can work.
      const passes = isOutage(thrown) || isLimited(thrown)
      this.#isAway ||= passes
      this.#isLimited ||= isLimited(thrown)
      if (passes) this.changed()
      else log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'a Home could not be shown')
    }
  }

  /** Slack is asked rarely: it allows few such calls, and clicks and what is read back need them too. */
  async #lately(open: Open, waits: boolean): Promise<Set<string>> {
    const kept = open.projects
    if (kept !== undefined && this.#isFresh(open)) return kept.found
    const at = this.#slack.clock.now()
    open.projects = { found: await this.#projectsOf(open.user, waits), at }
    return open.projects.found
  }

  #isFresh({ projects }: Open): boolean {
    return projects !== undefined && this.#slack.clock.now() - projects.at <= projectsKeptMs
  }

  /** The channels that both the person and the bot are in now. */
  async #projectsOf(user: string, waits: boolean): Promise<Set<string>> {
    const { api } = this.#slack
    const projects = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const asked = {
        user,
        types: 'public_channel,private_channel,mpim',
        exclude_archived: true,
        limit: channelsAtOnce,
        ...(cursor ? { cursor } : {}),
      }
      const { channels = [], response_metadata } = await api.read((client) => client.users.conversations(asked), waits)
      for (const { id } of channels) if (id !== undefined) projects.add(id)
      cursor = response_metadata?.next_cursor
      if (!cursor) break
    }
    return projects
  }
}
