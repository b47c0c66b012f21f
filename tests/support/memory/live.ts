import type { ThreadRef } from '../../../src/domain/chat.ts'
import type { TurnView } from '../../../src/domain/turn-view.ts'
import { type LiveOptions, type LiveReply, NotPosted, type ShowSettings } from '../../../src/platforms/platform.ts'
import type { Connection } from './connection.ts'
import type { Page } from './world.ts'

/** A live message as adapters have to build it: one operation at a time. */
export class MemoryLive implements LiveReply {
  readonly #connection: Connection
  readonly #thread: ThreadRef
  readonly #options: LiveOptions
  readonly #show: ShowSettings
  #view: TurnView | undefined
  #timer: NodeJS.Timeout | undefined
  #busy: Promise<void> | undefined
  #closed = false
  #id: string | undefined
  #unsure: boolean
  begun: boolean
  /** Somebody has ended it, or it may not begin. */
  over = false

  constructor(connection: Connection, thread: ThreadRef, options: LiveOptions, show: ShowSettings) {
    this.#connection = connection
    this.#thread = thread
    this.#options = options
    this.#show = show
    this.#id = options.id
    this.#unsure = options.unsure
    this.begun = options.id !== undefined || options.unsure
  }

  show(view: TurnView): void {
    if (this.#closed) return
    this.#view = view
    this.#plan()
  }

  async finish(page: unknown): Promise<string> {
    this.over = true
    await this.leave()
    return this.#write(page as Page)
  }

  async leave(): Promise<void> {
    this.over = true
    this.close()
    await this.#busy
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** Shows it now, without waiting. */
  showNow(): void {
    clearTimeout(this.#timer)
    this.#tick()
  }

  #plan(): void {
    if (this.#closed || this.#timer !== undefined || this.#busy !== undefined) return
    this.#timer = setTimeout(() => this.#tick(), this.begun ? this.#show.everyMs : this.#show.firstMs)
  }

  #tick(): void {
    this.#timer = undefined
    const view = this.#view
    this.#view = undefined
    if (view === undefined) return
    this.#busy = this.#write({ kind: 'progress', view })
      // Progress may be lost.
      .then(undefined, () => undefined)
      .then(() => {
        this.#busy = undefined
        if (this.#view !== undefined) this.#plan()
      })
  }

  async #write(page: Page): Promise<string> {
    const { posting } = this.#options
    if (this.#unsure) {
      this.#id = await this.#connection.find(this.#thread, posting)
      this.#unsure = false
      if (this.#id !== undefined) await this.#options.posted(this.#id)
    }
    if (this.#id !== undefined) {
      await this.#edit(this.#id, page)
      return this.#id
    }
    if (!(await this.#options.begin())) {
      this.over = true
      this.close()
      throw new NotPosted('later', 'it is posted by somebody else')
    }
    this.begun = true
    try {
      this.#id = await this.#connection.post(this.#thread, page, posting)
    } catch (thrown) {
      this.#unsure = !(thrown instanceof NotPosted)
      this.begun = this.#unsure
      throw thrown
    } finally {
      await this.#options.posted(this.#id)
    }
    return this.#id
  }

  async #edit(id: string, page: Page): Promise<void> {
    const write = () => this.#connection.edit(this.#thread, id, page)
    if (page.kind !== 'progress') return write()
    if ((await this.#options.change(write)) === 'over') this.close()
  }
}
