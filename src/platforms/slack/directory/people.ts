import type { SlackApi } from '../api/api.ts'
import { LookupCache } from './lookup-cache.ts'

/** A person, as far as Slack tells. */
export interface SlackPerson {
  id: string
  name: string
  timeZone: string | undefined
  /** The workspace that they belong to: another one in shared channels. */
  team: string | undefined
}

const keepMs = 60 * 60_000
const most = 5_000

const stranger = (id: string): SlackPerson => ({ id, name: id, timeZone: undefined, team: undefined })

/** Names for the ids of people and channels. An id whose name can't be found stands for itself. */
export class People {
  readonly #api: SlackApi
  readonly #people: LookupCache<SlackPerson>
  readonly #channels: LookupCache<string>

  /** If Slack doesn't return a name within `patienceMs`, the id is used. */
  constructor(api: SlackApi, patienceMs: number) {
    this.#api = api
    this.#people = new LookupCache({ most, keepMs, patienceMs })
    this.#channels = new LookupCache({ most, keepMs, patienceMs })
  }

  async person(id: string): Promise<SlackPerson> {
    const found = await this.#people.get(id, async () => {
      const { user } = await this.#api.now((client) => client.users.info({ user: id }))
      const { display_name, real_name } = user?.profile ?? {}
      return {
        id,
        name: display_name || real_name || user?.real_name || user?.name || id,
        timeZone: user?.tz,
        team: user?.team_id,
      }
    })
    return found ?? stranger(id)
  }

  /** Without the #. */
  async channel(id: string): Promise<string> {
    const found = await this.#channels.get(id, async () => {
      const { channel } = await this.#api.now((client) => client.conversations.info({ channel: id }))
      return channel?.name ?? id
    })
    return found ?? id
  }
}
