import type { TurnId } from '../domain/ids.ts'
import { pageKey } from '../domain/keys.ts'
import type { Clock } from '../kit/clock.ts'
import { reasonOf } from '../kit/failure.ts'
import { type ChatPlatform, type Content, type LiveReply, NotPosted } from '../platforms/platform.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'
import { beginPosting, findPosting, type KnownPosting, setPosted } from '../store/postings.ts'
import type { Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { cardKey } from '../trust/cards.ts'
import type { FormerCalls } from './former-calls.ts'
import { postingOf } from './posting.ts'
import type { Presenter } from './presenter.ts'
import { outboundWords } from './words.ts'

export interface PosterDeps {
  store: Store
  clock: Clock
  /** Identifies this process. */
  holder: string
  platform: ChatPlatform
  presenter: Presenter
  formerCalls: FormerCalls
  session: Session
  turn: TurnId | undefined
}

export interface Posted {
  key: string
  id: string
}

/** An outcome's card doesn't stand in the thread any more. `id`: the message that it was. */
export interface Gone {
  gone: { id: string | undefined }
}

/** The key of the message that the entry is about: an outcome changes its card. */
const subjectOf = (entry: OutboxEntry): string =>
  entry.kind === 'outcome' ? cardKey(entry.payload.request) : entry.key

const isPosting = ({ kind }: OutboxEntry): boolean => kind === 'answer' || kind === 'card' || kind === 'files'

const isNever = (thrown: unknown): thrown is NotPosted => thrown instanceof NotPosted && thrown.again === 'never'

/**
 * Posts one outbox entry on its platform, each page once. A page's row is stored before the page is posted. A row
 * without an id means that it may or may not have been posted, so the platform is asked.
 */
export class Poster {
  readonly #deps: PosterDeps
  readonly #again: number

  /** `again`: how often a card was posted before. Each time, the platform knows it by another key. */
  constructor(deps: PosterDeps, again = 0) {
    this.#deps = deps
    this.#again = again
  }

  /** What an earlier attempt, or the turn's live message, has left of the first page. */
  recall(entry: OutboxEntry): Promise<KnownPosting | undefined> {
    return this.#recall(pageKey(subjectOf(entry), 0))
  }

  #recall(key: string): Promise<KnownPosting | undefined> {
    const { formerCalls, presenter } = this.#deps
    // If this process has the live message open, it is asked directly.
    return formerCalls.find(key, () => presenter.shows(key))
  }

  /** Must run in the transaction that claims the attempt. */
  async begin(tx: Tx, entry: OutboxEntry): Promise<void> {
    if (isPosting(entry)) await beginPosting(tx, this.#deps.session.id, pageKey(entry.key, 0))
  }

  /** Resolves with the first page, whose id the caller must keep; undefined when nothing was posted. */
  async post(
    entry: OutboxEntry,
    content: Content | undefined,
    known: KnownPosting | undefined,
  ): Promise<Posted | Gone | undefined> {
    const key = pageKey(subjectOf(entry), 0)
    const live = this.#deps.presenter.take(key, isPosting(entry) ? 'to post' : 'to change')
    const pages = await this.#pages(content, live)
    if (pages.length === 0) {
      await live?.leave()
      if (entry.kind === 'record') await this.#remove(key, live, known)
      return undefined
    }
    if (entry.kind === 'outcome') return this.#update(pages[0], known?.id)
    if (!isPosting(entry)) return this.#change(key, pages[0], live, known)

    const id = live ? await this.#finish(live, key, pages[0], known) : await this.#once(key, pages[0], known)
    if (pages.length > 1) await this.#keep({ key, id })
    for (const [index, page] of pages.entries()) if (index > 0) await this.page(pageKey(entry.key, index), page)
    return { key, id }
  }

  async #pages(content: Content | undefined, live: LiveReply | undefined): Promise<unknown[]> {
    try {
      return content === undefined ? [] : this.#deps.platform.pages(content)
    } catch (thrown) {
      await live?.leave()
      // The next attempt would fail the same way and hold up the thread for ever.
      throw new NotPosted('never', outboundWords.notIntoMessages({ reason: reasonOf(thrown) }), { cause: thrown })
    }
  }

  /** A page with its own row, posted unless its row says that it was. */
  async page(key: string, page: unknown): Promise<string> {
    const { store, session } = this.#deps
    const known = await this.#recall(key)
    if (known?.id !== undefined) return known.id
    if (known === undefined) await store.transaction((tx) => beginPosting(tx, session.id, key))
    const id = await this.#once(key, page, known)
    await this.#keep({ key, id })
    return id
  }

  /** Posts the page, or edits the message if it was posted before. */
  async #once(key: string, page: unknown, known: KnownPosting | undefined): Promise<string> {
    const { platform, session } = this.#deps
    const id = await this.#standing(key, known)
    if (id === undefined) return this.#post(key, page, known)
    return this.#unlessGone(key, page, async () => {
      await platform.edit(session.thread, id, page, this.#posting(key, known).postpone)
      return id
    })
  }

  async #post(key: string, page: unknown, known: KnownPosting | undefined): Promise<string> {
    const { platform, session } = this.#deps
    const posting = this.#posting(key, known)
    // Files that an earlier attempt left for later go out with this one, or are left again. A crash in between posts no
    // file twice.
    if (known !== undefined) await posting.postpone([])
    return platform.post(session.thread, page, posting)
  }

  /**
   * The message that was already posted. Its id is stored at once, because an edited message may not be found again.
   */
  async #standing(key: string, known: KnownPosting | undefined): Promise<string | undefined> {
    const { platform, session } = this.#deps
    if (known === undefined || known.id !== undefined) return known?.id
    const id = await platform.find(session.thread, this.#posting(key, known))
    if (id !== undefined) await this.#keep({ key, id })
    return id
  }

  /** A live message that shows nothing yet doesn't know what the process before has posted since. */
  async #finish(live: LiveReply, key: string, page: unknown, known: KnownPosting | undefined): Promise<string> {
    if (live.begun) return this.#unlessGone(key, page, () => live.finish(page))
    if (known?.id === undefined) return live.finish(page)
    await live.leave()
    return this.#once(key, page, known)
  }

  /** Somebody deleted the message, or it can't become the page: that is posted anew, and what is left of it goes. */
  async #unlessGone(key: string, page: unknown, change: () => Promise<string>): Promise<string> {
    const changed = await this.#unlessNever(change)
    if (changed !== undefined) return changed
    const id = await this.page(`${key}.again`, page)
    const before = await this.#standing(key, await findPosting(this.#deps.store.db, key))
    if (before !== undefined && before !== id) await this.#delete(before)
    return id
  }

  /** A message that is already posted is changed; if there is none, nothing is lost. */
  async #change(
    key: string,
    page: unknown,
    live: LiveReply | undefined,
    known: KnownPosting | undefined,
  ): Promise<Posted | undefined> {
    const { store, platform, session } = this.#deps
    if (live?.begun) return this.#unlessNever(async () => ({ key, id: await live.finish(page) }))
    await live?.leave()
    // A live message that was just beginning when it was taken may exist by now.
    const id = await this.#standing(key, live === undefined ? known : await findPosting(store.db, key))
    if (id === undefined) return undefined
    await this.#unlessNever(() => platform.edit(session.thread, id, page, this.#posting(key, known).postpone))
    return { key, id }
  }

  /** The id of a card that stands is stored before its outcomes are posted. One that can't become the page stays. */
  async #update(page: unknown, id: string | undefined): Promise<Gone | undefined> {
    const { platform, session } = this.#deps
    if (id === undefined) return { gone: { id } }
    try {
      await platform.edit(session.thread, id, page)
      return undefined
    } catch (thrown) {
      if (!isNever(thrown)) throw thrown
      return thrown.isMissing ? { gone: { id } } : undefined
    }
  }

  /** Undefined if the message is gone, or can't become the page. */
  async #unlessNever<T>(change: () => Promise<T>): Promise<T | undefined> {
    try {
      return await change()
    } catch (thrown) {
      if (!isNever(thrown)) throw thrown
      return undefined
    }
  }

  /** The turn ended silently: nothing that was shown stays. */
  async #remove(key: string, live: LiveReply | undefined, known: KnownPosting | undefined): Promise<void> {
    const id = await this.#standing(key, live === undefined ? known : await findPosting(this.#deps.store.db, key))
    if (id !== undefined) await this.#delete(id)
  }

  #keep({ key, id }: Posted): Promise<void> {
    const { store, holder } = this.#deps
    return store.transaction((tx) => setPosted(tx, key, id, holder))
  }

  /** If the platform refuses, the message stays: nothing else has to wait for that or be lost. */
  async #delete(id: string): Promise<void> {
    const { platform, session } = this.#deps
    try {
      await platform.remove(session.thread, id)
    } catch (thrown) {
      if (!(thrown instanceof NotPosted) || thrown.again === 'later') throw thrown
    }
  }

  #posting(key: string, known: KnownPosting | undefined) {
    const { session, ...deps } = this.#deps
    const posting = postingOf({ ...deps, session: session.id }, key, known)
    return this.#again === 0 ? posting : { ...posting, key: `${key}.${this.#again}` }
  }
}
