import type { Person } from '../../../domain/chat.ts'
import type { SlackApi } from '../api/api.ts'
import { LookupCache } from './lookup-cache.ts'

/** A person, as far as Slack tells. */
export interface SlackPerson {
  id: string
  name: string
  timeZone: string | undefined
  /** The workspace that they belong to: another one in shared channels. */
  team: string | undefined
  /** Whether the bot's workspace isn't one of theirs; undefined if Slack doesn't say. */
  isOutside: boolean | undefined
  /** False, too, if Slack doesn't say. */
  isBot: boolean
}

/** As the rest of the bot knows them. */
export const asPerson = ({ id, name, isOutside }: SlackPerson): Person => ({
  id,
  name,
  ...(isOutside !== false && { outside: true }),
  ...(isOutside === undefined && { unchecked: true }),
})

/** What Slack accepts as somebody's id. Webhooks and workflows have only that of a bot. */
export const isPersonId = (id: string): boolean => /^[UW][A-Z0-9]{2,}$/.test(id)

const keepMs = 60 * 60_000
const most = 5_000
/** A look-up takes no longer, ms. */
const longestMs = 10_000

/** Names for the ids of people and channels. An id whose name can't be found stands for itself. */
export class People {
  readonly #api: SlackApi
  readonly #home: string
  readonly #people: LookupCache<SlackPerson>
  readonly #channels: LookupCache<string>

  /** `home`: the bot's workspace. If Slack doesn't return a name within `patienceMs`, the id is used. */
  constructor(api: SlackApi, home: string, patienceMs: number) {
    this.#api = api
    this.#home = home
    this.#people = new LookupCache({ most, keepMs, patienceMs })
    this.#channels = new LookupCache({ most, keepMs, patienceMs })
  }

  /** `team`: their workspace by the payload that names them, in case Slack doesn't return more about them. */
  async person(id: string, team?: string): Promise<SlackPerson> {
    const found = await this.#people.get(id, () => this.#look(id))
    return found ?? { id, name: id, timeZone: undefined, team, isOutside: this.#isOutside(team), isBot: false }
  }

  /** For what not everybody may do, where no payload names the workspace: this waits for Slack to tell it. */
  async whoMay(id: string): Promise<SlackPerson> {
    return (await this.#people.get(id, () => this.#look(id), longestMs)) ?? this.person(id)
  }

  async #look(id: string): Promise<SlackPerson> {
    const { user } = await this.#api.once((client) => client.users.info({ user: id }))
    const { display_name, real_name } = user?.profile ?? {}
    return {
      id,
      name: display_name || real_name || user?.real_name || user?.name || id,
      timeZone: user?.tz,
      team: user?.team_id,
      isOutside: this.#isOutside(user?.team_id, user?.enterprise_user?.teams),
      isBot: user?.is_bot ?? false,
    }
  }

  /** In an Enterprise organisation, people can be in several workspaces. */
  #isOutside(team: string | undefined, teams: string[] = []): boolean | undefined {
    return team === undefined ? undefined : team !== this.#home && !teams.includes(this.#home)
  }

  /** Without the #. */
  async channel(id: string): Promise<string> {
    const found = await this.#channels.get(id, async () => {
      const { channel } = await this.#api.once((client) => client.conversations.info({ channel: id }))
      return channel?.name ?? id
    })
    return found ?? id
  }
}
