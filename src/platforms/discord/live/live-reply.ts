import type { ThreadRef } from '../../../domain/chat.ts'
import type { TurnView } from '../../../domain/turn-view.ts'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { RateLimited, superseded } from '../../calls/scheduler.ts'
import { PacedViews, type Shown } from '../../live/paced-views.ts'
import { type LiveOptions, type LiveReply, NotPosted, type Posting, type ShowSettings } from '../../platform.ts'
import type { Send } from '../api/api.ts'
import { Code, codeOf, isRefusal, isUnreachable } from '../api/errors.ts'
import type { PostTarget } from '../directory/post-targets.ts'
import { asPage } from '../pages/page.ts'
import { findPosted } from '../post/find.ts'
import { withLatestNote } from '../post/marks.ts'
import { type Body, explained, type PostDeps, sendEdit, sendNew, withFilesOrWords } from '../post/message.ts'
import { progressBody } from './progress.ts'
import { Typing } from './typing.ts'

export interface LiveDeps extends PostDeps {
  /** Rejects with NotPosted as long as that isn't known. */
  knowOurselves(): Promise<void>
  show: ShowSettings
  log: Log
}

/** How long somebody waits who only sees that the bot is typing, ms. */
const quietMs = 10_000

/** A progress message that becomes the answer. Only one thing at a time happens to it. */
export class DiscordLiveReply implements LiveReply {
  readonly #deps: LiveDeps
  readonly #thread: ThreadRef
  readonly #options: LiveOptions
  readonly #typing: Typing
  readonly #startedAt = Date.now()
  readonly #views: PacedViews
  #shown = ''
  #patient: NodeJS.Timeout | undefined
  #id: string | undefined
  #begun: boolean
  /** It may have been posted, but nobody knows its id. */
  #unsure: boolean
  readonly #posting: Posting

  constructor(deps: LiveDeps, thread: ThreadRef, options: LiveOptions) {
    this.#deps = deps
    this.#thread = thread
    this.#options = options
    this.#id = options.id
    this.#unsure = options.unsure && options.id === undefined
    this.#begun = options.id !== undefined || this.#unsure
    this.#posting = withLatestNote(options.posting)
    this.#typing = new Typing(deps.api, () => deps.targets.nearest(thread))
    const { firstMs, everyMs } = deps.show
    this.#views = new PacedViews({
      firstMs: this.#begun ? 0 : firstMs,
      everyMs,
      show: (view) => this.#showView(view),
      failed: (thrown) => this.#failed(thrown),
    })
  }

  get begun(): boolean {
    return this.#begun
  }

  show(view: TurnView): void {
    if (!this.#begun && !this.#views.hasEnded) this.#typing.start()
    this.#views.show(view)
  }

  async finish(page: unknown): Promise<string> {
    this.#close()
    const { api, targets, knowOurselves } = this.#deps
    await knowOurselves()
    const { key, postpone } = this.#options.posting
    const place = await targets.of(this.#thread)
    const { channel } = place
    const bucket = this.#id === undefined ? 'messages' : 'edits'
    const call = { bucket, channel, priority: 'answer', coalesce: key } as const
    const id = await withFilesOrWords(asPage(page), key, postpone, (body) =>
      explained(this.#deps, place, body, () => api.queued(call, (send) => this.#end(send, place, body))),
    )
    await this.#views.idle()
    await this.#options.posted(id)
    return id
  }

  async leave(): Promise<void> {
    this.#close()
    await this.#views.idle()
  }

  #close(): void {
    this.#views.end()
    this.#typing.stop()
    clearTimeout(this.#patient)
  }

  #failed(thrown: unknown): void {
    this.#deps.log.warn({ error: reasonOf(thrown) }, 'progress could not be shown on Discord')
    // It would be refused again, and the answer will say why.
    if (isRefusal(thrown) || (thrown instanceof NotPosted && thrown.again !== 'later')) this.#close()
  }

  async #showView(view: TurnView): Promise<Shown> {
    const { key } = this.#options.posting
    const body = progressBody(view, key, () => this.#patience())
    if (body === undefined) return 'nothing'
    const content = JSON.stringify(body.json)
    if (content === this.#shown) return 'shown'
    const { api, targets, knowOurselves } = this.#deps
    await knowOurselves()
    const place = await targets.of(this.#thread)
    if (this.#views.hasEnded) return 'over'
    const bucket = this.#id === undefined ? 'messages' : 'edits'
    const call = { bucket, channel: place.channel, priority: 'progress', coalesce: key } as const
    const done = await api.queued(call, (send) => this.#progress(send, place, body))
    if (done === superseded) return 'later'
    this.#shown = content
    return 'shown'
  }

  /** A model that thinks for long shows nothing: then show at least that, with a way to stop it. */
  #patience(): string {
    const leftMs = this.#startedAt + quietMs - Date.now()
    if (leftMs <= 0) return '-# Working…'
    this.#patient ??= setTimeout(() => this.#views.again(), leftMs)
    return ''
  }

  async #progress(send: Send, place: PostTarget, body: Body): Promise<void> {
    if (this.#views.hasEnded) return
    const { channel } = place
    await this.#lookForIt()
    if (this.#id !== undefined) return await this.#edit(send, channel, this.#id, body)
    if (!(await this.#options.begin())) {
      this.#close()
      return
    }
    try {
      await this.#post(send, place, body)
    } finally {
      await this.#options.posted(this.#id)
    }
  }

  async #edit(send: Send, channel: string, id: string, body: Body): Promise<void> {
    try {
      const done = await this.#options.change(() => sendEdit(send, channel, id, body))
      if (done === 'over') this.#close()
    } catch (thrown) {
      if (codeOf(thrown) !== Code.UnknownMessage) throw thrown
      // Whoever deleted it doesn't want to see it again before the answer.
      this.#close()
    }
  }

  /** The end: an edit of the existing message, or a message of its own. */
  async #end(send: Send, place: PostTarget, body: Body): Promise<string> {
    await this.#lookForIt()
    if (this.#id !== undefined) return (await sendEdit(send, place.channel, this.#id, body)).id
    if (!(await this.#options.begin())) throw new NotPosted('later', 'somebody else posts this answer')
    return await this.#post(send, place, body)
  }

  async #post(send: Send, place: PostTarget, body: Body): Promise<string> {
    this.#begun = true
    this.#unsure = true
    this.#typing.stop()
    try {
      this.#id = await sendNew(send, this.#deps, place, body, this.#posting)
      this.#unsure = false
      return this.#id
    } catch (thrown) {
      if (thrown instanceof RateLimited || isRefusal(thrown) || isUnreachable(thrown)) {
        this.#unsure = false
        this.#begun = false
      }
      throw thrown
    }
  }

  async #lookForIt(): Promise<void> {
    if (!this.#unsure) return
    this.#id = await findPosted(this.#deps, this.#posting)
    this.#unsure = false
    if (this.#id !== undefined) await this.#options.posted(this.#id)
  }
}
