import type { ThreadRef } from '../../../domain/chat.ts'

/** So many channels can be read at once, within what Slack allows in a minute. */
const most = 30

/** The channels of a quick check. */
export class Nearby {
  /** Where the next check of channels without threads of ours begins. */
  #rotation = 0

  /** Those of these threads, and some of the others in turn. */
  channels(active: ThreadRef[], known: string[]): string[] {
    const used = [...new Set(active.map(({ project }) => project))].slice(0, most - 1)
    const others = known.filter((channel) => !used.includes(channel))
    const count = most - used.length
    const from = others.length === 0 ? 0 : this.#rotation % others.length
    this.#rotation += count
    return [...used, ...[...others.slice(from), ...others.slice(0, from)].slice(0, count)]
  }
}
