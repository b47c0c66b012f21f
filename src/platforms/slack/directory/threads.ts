import { BoundedMap } from '../../bounded-map.ts'
import type { SlackApi } from '../api/api.ts'
import { messages } from '../api/payload.ts'
import { rootOf } from './thread-refs.ts'

/** Which thread a message is in: reactions and clicks don't always say. */
export class Threads {
  readonly #api: SlackApi
  readonly #roots = new BoundedMap<string>(5_000)
  readonly #newest = new BoundedMap<string>(5_000)

  constructor(api: SlackApi) {
    this.#api = api
  }

  note(channel: string, ts: string, root: string): void {
    this.#roots.set(`${channel} ${ts}`, root)
    if (Number(ts) > Number(this.newest(channel))) this.#newest.set(channel, ts)
  }

  /** The newest known message in a channel, by Slack's own clock: whatever is posted next is newer. */
  newest(channel: string): string {
    return this.#newest.get(channel) ?? '0'
  }

  /** Whether it was heard or posted lately. */
  isKnown(channel: string, ts: string): boolean {
    return this.#roots.has(`${channel} ${ts}`)
  }

  async of(channel: string, ts: string): Promise<string> {
    const noted = this.#roots.get(`${channel} ${ts}`)
    if (noted !== undefined) return noted
    const found = await this.#api.read((client) => client.conversations.replies({ channel, ts, limit: 1 }))
    const [message] = messages(found.messages)
    const root = message === undefined ? ts : rootOf(message)
    this.note(channel, ts, root)
    return root
  }
}
