import { setTimeout as sleep } from 'node:timers/promises'
import type { SlackApi } from '../api/api.ts'
import { isCode, isPassing } from '../api/errors.ts'
import type { SlackMessage } from '../api/payload.ts'

/** How often to ask Slack in the time in which the message usually comes. */
const looks = 3

export interface ShareTiming {
  /** How much longer an upload may take than a slow connection needs for its bytes, ms. */
  uploadMs: number
  /** How long to wait for the message with a file, ms. */
  sharedMs: number
  /** How long to wait if Slack says that the file isn't in any message yet, as it may of a large one, ms. */
  longestSharedMs: number
}

/**
 * The message that contains a file, or that it is in none. `unknown` if Slack doesn't say, `hidden` if the app may not
 * ask.
 */
export type Shared = { ts: string } | 'nowhere' | 'unknown' | 'hidden'

/** Slack shares uploaded files by itself, a little later: which messages they came in. */
export class Shares {
  readonly #api: SlackApi
  readonly #timing: ShareTiming
  readonly #waiting = new Map<string, (shared: Shared) => void>()
  #stopped = false

  constructor(api: SlackApi, timing: ShareTiming) {
    this.#api = api
    this.#timing = timing
  }

  get uploadMs(): number {
    return this.#timing.uploadMs
  }

  /** One of our own messages arrived. */
  heard({ ts, files }: SlackMessage): void {
    for (const { id } of files) this.#waiting.get(id)?.({ ts })
  }

  /** Nobody waits any longer. */
  stop(): void {
    this.#stopped = true
    for (const end of this.#waiting.values()) end('unknown')
  }

  /**
   * Resolves once the message with this file is there, or without it, once the time is up. Slack is asked once it is
   * `sent`.
   */
  async watch(file: string, sent: Promise<unknown> = Promise.resolve()): Promise<Shared> {
    const { promise, resolve } = Promise.withResolvers<Shared>()
    this.#waiting.set(file, resolve)
    if (this.#stopped) resolve('unknown')
    const looking = sent.then(
      () => this.#look(file),
      () => 'unknown' as const,
    )
    try {
      return await Promise.race([promise, looking])
    } finally {
      this.#waiting.delete(file)
    }
  }

  async #look(file: string): Promise<Shared> {
    const { sharedMs, longestSharedMs } = this.#timing
    const pauseMs = sharedMs / looks
    for (let look = 1; ; look++) {
      await sleep(pauseMs, undefined, { ref: false })
      if (!this.#waiting.has(file)) return 'unknown'
      const shared = await this.#sharedAs(file)
      const longest = shared === 'nowhere' ? longestSharedMs : sharedMs
      if (typeof shared === 'object' || look * pauseMs >= longest) return shared
    }
  }

  async #sharedAs(id: string): Promise<Shared> {
    try {
      const { file } = await this.#api.once((client) => client.files.info({ file: id }))
      const { public: open = {}, private: closed = {} } = file?.shares ?? {}
      const ts = [...Object.values(open), ...Object.values(closed)].flat()[0]?.ts
      if (ts !== undefined) return { ts }
      const places = [file?.channels, file?.groups, file?.ims].flatMap((some) => some ?? [])
      return file === undefined || places.length > 0 ? 'unknown' : 'nowhere'
    } catch (thrown) {
      if (isPassing(thrown)) return 'unknown'
      return isCode(thrown, 'file_not_found', 'file_deleted') ? 'nowhere' : 'hidden'
    }
  }
}
