import { type ChatPlatform, NotPosted, type Posting, type Saying } from '../chat/platform.ts'
import { cardKey } from '../decisions/cards.ts'
import type { OutboxEntry } from '../store/outbox.ts'
import { beginPosting, findPosting, type KnownPosting, setNote, setPosted } from '../store/postings.ts'
import type { Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { type Presenter, pageKey } from './presenter.ts'

interface Posted {
  key: string
  id: string
}

/** Whose message the entry is about: an outcome changes the card. */
const subjectOf = (entry: OutboxEntry): string =>
  entry.kind === 'outcome' ? cardKey(entry.payload.request) : entry.key

const isPosting = ({ kind }: OutboxEntry): boolean => kind === 'answer' || kind === 'card'

/**
 * Brings one entry of the outbox onto its platform, each page once. Before a page is posted its row says so; a row without
 * an id means that nobody knows, and the platform is asked.
 */
export class Poster {
  readonly #store: Store
  readonly #platform: ChatPlatform
  readonly #presenter: Presenter
  readonly #session: Session

  constructor(store: Store, platform: ChatPlatform, presenter: Presenter, session: Session) {
    this.#store = store
    this.#platform = platform
    this.#presenter = presenter
    this.#session = session
  }

  /** What a former attempt, or the progress of the turn, has left of the first page. */
  recall(entry: OutboxEntry): Promise<KnownPosting | undefined> {
    return findPosting(this.#store.db, pageKey(subjectOf(entry), 0))
  }

  /** Belongs into the transaction that claims the attempt. */
  async begin(tx: Tx, entry: OutboxEntry): Promise<void> {
    if (isPosting(entry)) await beginPosting(tx, this.#session.id, pageKey(entry.key, 0))
  }

  static keep(tx: Tx, { key, id }: Posted): Promise<void> {
    return setPosted(tx, key, id)
  }

  /** Resolves with the first page, whose id is still to be kept; undefined when nothing was to be shown. */
  async post(entry: OutboxEntry, saying: Saying, known: KnownPosting | undefined): Promise<Posted | undefined> {
    const pages = this.#platform.pages(saying)
    const key = pageKey(subjectOf(entry), 0)
    const live = this.#presenter.take(key)
    if (pages.length === 0) {
      await live?.leave()
      return undefined
    }
    if (!isPosting(entry)) {
      await this.#change(key, pages[0], live, known)
      return undefined
    }
    const first = { key, id: live ? await live.finish(pages[0]) : await this.#once(key, pages[0], known) }
    if (pages.length > 1) await this.#store.transaction((tx) => setPosted(tx, key, first.id))
    for (const [index, page] of pages.entries()) if (index > 0) await this.#further(entry, index, page)
    return first
  }

  async #further(entry: OutboxEntry, index: number, page: unknown): Promise<void> {
    const key = pageKey(entry.key, index)
    const known = await findPosting(this.#store.db, key)
    if (known?.id !== undefined) return
    if (known === undefined) await this.#store.transaction((tx) => beginPosting(tx, this.#session.id, key))
    const id = await this.#once(key, page, known)
    await this.#store.transaction((tx) => setPosted(tx, key, id))
  }

  /** Posts what nobody has posted; what somebody has is brought to the page. */
  async #once(key: string, page: unknown, known: KnownPosting | undefined): Promise<string> {
    const { thread } = this.#session
    const posting = this.#posting(key, known)
    const id = known && (known.id ?? (await this.#platform.find(thread, posting)))
    if (id === undefined) return this.#platform.post(thread, page, posting)
    await this.#platform.edit(thread, id, page)
    return id
  }

  /** A message that stands there already shows something else; one that does not is no loss. */
  async #change(
    key: string,
    page: unknown,
    live: ReturnType<Presenter['take']>,
    known: KnownPosting | undefined,
  ): Promise<void> {
    const { thread } = this.#session
    if (live !== undefined) {
      if (live.begun) await live.finish(page)
      else await live.leave()
      return
    }
    if (known === undefined) return
    const id = known.id ?? (await this.#platform.find(thread, this.#posting(key, known)))
    if (id === undefined) return
    if (known.id === undefined) await this.#store.transaction((tx) => setPosted(tx, key, id))
    await this.#platform.edit(thread, id, page).catch((thrown) => {
      if (!(thrown instanceof NotPosted) || thrown.again !== 'never') throw thrown
    })
  }

  #posting(key: string, known: KnownPosting | undefined): Posting {
    return {
      key,
      note: known?.note,
      since: known?.begunAt ?? Date.now(),
      remember: (note) => this.#store.transaction((tx) => setNote(tx, key, note)),
    }
  }
}
