import type { ThreadRef } from '../../../domain/chat.ts'
import type { TurnView } from '../../../domain/turn-view.ts'
import type { Shown } from '../../live/paced-views.ts'
import { type LiveOptions, NotPosted } from '../../platform.ts'
import { isPassing, reasonIn, refusalIn } from '../api/errors.ts'
import { isPersonId } from '../directory/people.ts'
import type { MessagePage, Page } from '../pages/page.ts'
import { findPosted } from '../post/find.ts'
import { editMessage, endStream, postMessage, postPage } from '../post/message.ts'
import { writeNote } from '../post/note.ts'
import { editProgress } from '../post/progress.ts'
import { slackWords } from '../words/words.ts'
import { type BeginDeps, type Begun, beginPost, beginStream } from './begin.ts'
import { edited, isWorthSeeing, streamed, textBeingWritten } from './progress.ts'
import type { SessionStatuses } from './session-status.ts'
import type { Stream } from './stream.ts'
import { isStreamable } from './stream-size.ts'
import { type Ending, ThreadStatus } from './thread-status.ts'

export interface LiveDeps extends BeginDeps {
  statuses: SessionStatuses
  /** A stream is ended after this long, and the message continues by edits, ms. */
  streamMs: number
}

/** The state of the message. */
type Mode =
  | { kind: 'nothing' }
  /** An earlier process may have posted it. */
  | { kind: 'unsure' }
  /** A call of ours failed, and may have posted it: another one would be a second message if the first comes late. */
  | { kind: 'lost' }
  | Begun
  /** Somebody deleted it. */
  | { kind: 'gone' }

/** `over`: the message isn't ours any more. */
type Advance = Exclude<Shown, 'nothing'>

/** How many views look for a lost message. The end of the turn looks once more. */
const mostLooks = 5

const isGone = (thrown: unknown): boolean => refusalIn(thrown) === 'message_not_found'

/** A turn's message: streamed if possible, then edited, and in the end exactly its page. */
export class LiveMessage {
  readonly #deps: LiveDeps
  readonly #thread: ThreadRef
  readonly #options: LiveOptions
  readonly #status: ThreadStatus
  readonly #form = { isPlain: false }
  #mode: Mode
  #note: string | undefined
  #firstText: number | undefined
  #looks = 0

  constructor(deps: LiveDeps, thread: ThreadRef, options: LiveOptions) {
    this.#deps = deps
    this.#thread = thread
    this.#options = options
    const place = { channel: thread.project, thread: thread.thread }
    this.#status = new ThreadStatus(deps.statuses, place, options)
    this.#mode =
      options.id !== undefined ? { kind: 'edits', ts: options.id } : { kind: options.unsure ? 'unsure' : 'nothing' }
    this.#note = options.posting.note
  }

  get begun(): boolean {
    return this.#mode.kind !== 'nothing'
  }

  /** Shows the views one after the other, with one call each. */
  async advance(view: TurnView): Promise<Advance> {
    if (!isWorthSeeing(view)) return this.#showBusy('shown')
    this.#firstText ??= textBeingWritten(view)
    if (this.#mode.kind === 'unsure') await this.#look()
    if (this.#mode.kind === 'nothing') return this.#begin(view)
    if (this.#status.isDue) return this.#showBusy('later')
    if (this.#mode.kind === 'lost' && this.#looks < mostLooks) await this.#lookAgain()
    if (this.#mode.kind === 'stream') return this.#append(this.#mode.stream, view)
    if (this.#mode.kind === 'edits') return this.#edit(this.#mode.ts, view)
    return 'shown'
  }

  /** Shows that something is under way, with Slack's Stop button, in place of other progress. */
  #showBusy(then: Advance): Advance {
    this.#status.show()
    return then
  }

  /** Drops waiting progress. Resolves when none is under way. */
  async letGo(): Promise<void> {
    const { mailer } = this.#deps
    const keys = [this.#options.posting.key, this.#ts].filter((key) => key !== undefined)
    await Promise.all([this.#status.quiet(), ...keys.map((key) => mailer.slack.api.letGo(key))])
  }

  /** Ends as this page; resolves with the message's ts. Throws NotPosted `never` if somebody deleted it. */
  async become(page: Page): Promise<string> {
    const { mailer } = this.#deps
    if (page.kind === 'files') return postPage(mailer, this.#thread, page, this.#posting)
    const ending = this.#status.ending(page.session)
    try {
      if (this.#mode.kind === 'unsure' || this.#mode.kind === 'lost') await this.#look()
      if (this.#mode.kind === 'stream' && (await this.#endStreamAs(this.#mode.stream, page, ending)))
        return this.#mode.stream.ts
      return await this.#turnInto(page)
    } finally {
      ending.rest()
    }
  }

  /** Stays as it is, and the thread's status is reset. */
  async leave(): Promise<void> {
    const ending = this.#status.ending('active')
    await this.interrupt()
    ending.rest()
  }

  /** Stays as it is, for another process to continue. */
  async interrupt(): Promise<void> {
    if (this.#mode.kind !== 'stream') return
    const { stream } = this.#mode
    this.#mode = { kind: 'edits', ts: stream.ts }
    await this.#stop(stream)
  }

  get #posting() {
    const { posting } = this.#options
    return { ...posting, note: this.#note, remember: (note: string) => this.#remember(note) }
  }

  get #ts(): string | undefined {
    if (this.#mode.kind === 'stream') return this.#mode.stream.ts
    return this.#mode.kind === 'edits' ? this.#mode.ts : undefined
  }

  async #remember(note: string): Promise<void> {
    await this.#options.posting.remember(note)
    this.#note = note
  }

  async #look(): Promise<void> {
    if (!(await this.#isFound())) this.#mode = { kind: 'nothing' }
  }

  async #lookAgain(): Promise<void> {
    this.#looks++
    try {
      await this.#isFound()
    } catch (thrown) {
      // A look that Slack didn't answer says nothing.
      if (isPassing(thrown)) this.#looks--
      throw thrown
    }
  }

  /** If it is found, it continues by edits. */
  async #isFound(): Promise<boolean> {
    const ts = await findPosted(this.#deps.mailer.slack, this.#thread, this.#posting)
    if (ts === undefined) return false
    this.#mode = { kind: 'edits', ts }
    await this.#options.posted(ts)
    return true
  }

  async #begin(view: TurnView): Promise<Advance> {
    const { mailer, streams } = this.#deps
    const first = streamed(view, this.#firstText)
    const mayStream = isPersonId(this.#options.reader.id) && streams.mayStream(this.#thread.project)
    const streaming = mayStream && isStreamable(first)
    if (streaming && first.plan === undefined && first.pieces.length === 0) return this.#showBusy('later')
    const streamAfter = mailer.threads.newest(this.#thread.project)
    const note = streaming && this.#note === undefined ? writeNote({ streamAfter }) : undefined
    if (!(await this.#options.begin(note))) return 'over'
    this.#note ??= note
    this.#mode = { kind: 'lost' }
    try {
      const begun = streaming
        ? await beginStream(this.#deps, this.#thread, this.#options, first)
        : await beginPost(this.#deps, this.#thread, this.#options, edited(view), this.#form)
      this.#mode = begun ?? { kind: 'nothing' }
    } finally {
      await this.#options.posted(this.#ts)
    }
    // The Stop button comes next, even if nothing else does.
    return this.begun && !this.#status.isDue ? 'shown' : 'later'
  }

  async #append(stream: Stream, view: TurnView): Promise<Advance> {
    if (stream.ageMs >= this.#deps.streamMs) return this.#goOnByEdits(stream)
    const done = await stream.append(streamed(view, this.#firstText)).catch((thrown): 'astray' | 'gone' => {
      // Slack has closed it, somebody has stopped it, or nobody knows how far it came.
      this.#tell(thrown, 'a stream broke off')
      return isGone(thrown) ? 'gone' : 'astray'
    })
    if (done === 'astray') return this.#goOnByEdits(stream)
    if (done !== 'gone') return done
    this.#mode = { kind: 'gone' }
    return 'shown'
  }

  /** The next view is an edit: stopping may take long, and this one may be too old by then. */
  async #goOnByEdits(stream: Stream): Promise<Advance> {
    this.#mode = { kind: 'edits', ts: stream.ts }
    await this.#stop(stream)
    return 'later'
  }

  async #edit(ts: string, view: TurnView): Promise<Advance> {
    const { mailer } = this.#deps
    try {
      return await editProgress(mailer, this.#thread, ts, edited(view), this.#options, this.#form)
    } catch (thrown) {
      if (isGone(thrown)) this.#mode = { kind: 'gone' }
      else if (refusalIn(thrown) === 'streaming_state_conflict') await endStream(mailer, this.#thread, ts)
      else throw thrown
      return 'later'
    }
  }

  async #turnInto(page: MessagePage): Promise<string> {
    const { mailer } = this.#deps
    const { key } = this.#options.posting
    const ts = this.#ts
    // Under this key, its row has the deleted message's ts, so nobody would look for another one.
    if (this.#mode.kind === 'gone') throw new NotPosted('never', slackWords.messageDeleted())
    if (ts === undefined) return postMessage(mailer, this.#thread, page, key)
    await editMessage(mailer, this.#thread, ts, page, key)
    return ts
  }

  /** Whether the stream has become exactly the page. If not, an edit corrects it. */
  async #endStreamAs(stream: Stream, page: MessagePage, ending: Ending): Promise<boolean> {
    const chunks = stream.lacks({ plan: page.plan, pieces: page.pieces })
    const tail = chunks === undefined ? [] : page.tail
    const status = ending.toLeave()
    try {
      await stream.stop({ chunks: chunks ?? [], tail, status })
      if (status !== undefined) ending.told(status)
      return chunks !== undefined
    } catch (thrown) {
      this.#tell(thrown, 'a stream could not be finished')
      return false
    }
  }

  /** Never throws: it may have ended already. */
  async #stop(stream: Stream): Promise<void> {
    try {
      await stream.stop()
    } catch (thrown) {
      this.#tell(thrown, 'a stream could not be stopped')
    }
  }

  /** Resets the thread's status, even if somebody else ends the message. */
  rest(): void {
    this.#status.ending('active').rest()
  }

  #tell(thrown: unknown, what: string): void {
    this.#deps.mailer.slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, what)
  }
}
