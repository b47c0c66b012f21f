import { BoundedMap } from '../../bounded-map.ts'
import { isNewer } from '../api/snowflakes.ts'

/** What the gateway tells of messages, our own among them: with their nonces, which nobody tells later. */
export class SeenMessages {
  readonly #ids = new BoundedMap<string>(2_000)
  readonly #newest = new BoundedMap<string>(5_000)

  /** Any message, of anybody. */
  heard(channel: string, id: string): void {
    if (isNewer(id, this.#newest.get(channel) ?? '0')) this.#newest.set(channel, id)
  }

  own(nonce: string, id: string): void {
    this.#ids.set(nonce, id)
  }

  /** The message that was posted with this nonce, if the gateway has told it. */
  find(nonce: string): string | undefined {
    return this.#ids.get(nonce)
  }

  /** Whatever is posted from now on is newer than this; undefined where nothing was told yet. */
  newestIn(channel: string): string | undefined {
    return this.#newest.get(channel)
  }
}
