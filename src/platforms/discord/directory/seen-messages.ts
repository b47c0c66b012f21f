import { BoundedMap } from '../../bounded-map.ts'
import { isNewer } from '../api/snowflakes.ts'

/** What the gateway sends about messages, including ours with their nonces, which can't be looked up later. */
export class SeenMessages {
  readonly #ids = new BoundedMap<string>(2_000)
  readonly #newest = new BoundedMap<string>(5_000)

  /** Any message, from anybody. */
  heard(channel: string, id: string): void {
    if (isNewer(id, this.#newest.get(channel) ?? '0')) this.#newest.set(channel, id)
  }

  own(nonce: string, id: string): void {
    this.#ids.set(nonce, id)
  }

  /** The message that was posted with this nonce, if the gateway has sent it. */
  find(nonce: string): string | undefined {
    return this.#ids.get(nonce)
  }

  /** Whatever is posted from now on is newer than this; undefined if nothing has been sent yet. */
  newestIn(channel: string): string | undefined {
    return this.#newest.get(channel)
  }
}
