import { setTimeout as sleep } from 'node:timers/promises'
import type { SlackApi } from '../api/api.ts'
import type { SlackMessage } from '../api/payload.ts'

/** How long to wait for the message with a file, ms, and how often to ask Slack meanwhile. */
const patienceMs = 3_000
const looks = 3

/** Slack shares uploaded files by itself, a little later: which messages they came in. */
export class Shares {
  readonly #api: SlackApi
  readonly #waiting = new Map<string, (ts: string) => void>()

  constructor(api: SlackApi) {
    this.#api = api
  }

  /** One of our own messages arrived. */
  heard({ ts, files }: SlackMessage): void {
    for (const { id } of files) this.#waiting.get(id)?.(ts)
  }

  /** The message that contains the file; undefined if it doesn't come in time. */
  async watch(file: string): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#waiting.set(file, resolve)
    const looking = this.#look(file)
    try {
      return await Promise.race([promise, looking])
    } finally {
      this.#waiting.delete(file)
    }
  }

  async #look(file: string): Promise<string | undefined> {
    for (let look = 0; look < looks; look++) {
      await sleep(patienceMs / looks, undefined, { ref: false })
      if (!this.#waiting.has(file)) return undefined
      const ts = await this.#sharedAs(file)
      if (ts !== undefined) return ts
    }
    return undefined
  }

  async #sharedAs(file: string): Promise<string | undefined> {
    try {
      const found = await this.#api.once((client) => client.files.info({ file }))
      const { public: open = {}, private: closed = {} } = found.file?.shares ?? {}
      return [...Object.values(open), ...Object.values(closed)].flat()[0]?.ts
    } catch {
      return undefined
    }
  }
}
