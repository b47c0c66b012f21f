import { setTimeout as sleep } from 'node:timers/promises'
import type { SlackApi } from '../api/api.ts'
import type { SlackMessage } from '../api/payload.ts'

/** Between the looks for the message with a file, in units of `shareMs`. */
const pauses = [1, 1, 1, 3, 8, 16]
/** As many are made where Slack doesn't say whether the file is shared. */
const fewLooks = 3

/** A file that is being shared. Disposing stops listening for it. */
export interface Sharing extends Disposable {
  /**
   * Call once Slack has accepted it: the message that contains it; undefined if Slack doesn't say. Throws if the file
   * is nowhere, so that it is looked for and posted again.
   */
  message(): Promise<string | undefined>
}

/** Slack shares uploaded files by itself, a little later: which messages they came in. */
export class Shares {
  readonly #api: SlackApi
  readonly #shareMs: number
  readonly #waiting = new Map<string, (ts: string) => void>()

  constructor(api: SlackApi, shareMs: number) {
    this.#api = api
    this.#shareMs = shareMs
  }

  /** One of our own messages arrived. */
  heard({ ts, files }: SlackMessage): void {
    for (const { id } of files) this.#waiting.get(id)?.(ts)
  }

  /** Listens from now on: the message may arrive before the call that shares the file is answered. */
  expect(file: string): Sharing {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#waiting.set(file, resolve)
    return {
      message: () => Promise.race([promise, this.#look(file)]),
      [Symbol.dispose]: () => void this.#waiting.delete(file),
    }
  }

  async #look(file: string): Promise<string | undefined> {
    for (const [look, pause] of pauses.entries()) {
      await sleep(pause * this.#shareMs, undefined, { ref: false })
      if (!this.#waiting.has(file)) return undefined
      const found = await this.#placeOf(file)
      if (found.kind === 'there') return found.ts
      if (found.kind === 'unknown' && look + 1 >= fewLooks) return undefined
    }
    // Slack sometimes accepts a file and never shares it (paradigmxyz/centaur#311).
    throw new Error('Slack accepted the file, but has not shared it')
  }

  async #placeOf(file: string): Promise<{ kind: 'there'; ts: string } | { kind: 'nowhere' | 'unknown' }> {
    try {
      const found = await this.#api.once((client) => client.files.info({ file }))
      const { shares: { public: open = {}, private: closed = {} } = {}, channels, groups, ims } = found.file ?? {}
      const ts = [...Object.values(open), ...Object.values(closed)].flat()[0]?.ts
      if (ts !== undefined) return { kind: 'there', ts }
      return { kind: [channels, groups, ims].every((all = []) => all.length === 0) ? 'nowhere' : 'unknown' }
    } catch {
      return { kind: 'unknown' }
    }
  }
}
