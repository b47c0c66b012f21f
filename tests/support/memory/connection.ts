import type { Heard, RemoteFile, ThreadRef } from '../../../src/domain/chat.ts'
import type { TurnView } from '../../../src/domain/turn-view.ts'
import type { InboundSink } from '../../../src/platforms/inbound-sink.ts'
import {
  type ChatPlatform,
  type Content,
  type Health,
  type LiveOptions,
  NotPosted,
  type PlatformDeps,
  type Posting,
} from '../../../src/platforms/platform.ts'
import { toHeard } from './heard.ts'
import { MemoryLive } from './live.ts'
import type { Troubles } from './troubles.ts'
import { memoryName, type Page, type World } from './world.ts'

/** Splits a text into pages. */
export const pageBreak = '\n~~~~~\n'

/** The platform during one life of the bot; its memory is lost with it, but the world stays. */
export class Connection implements ChatPlatform {
  readonly name = memoryName
  readonly progress = 'posted'
  readonly #world: World
  readonly #troubles: Troubles
  readonly #deps: PlatformDeps
  readonly #closed = Promise.withResolvers<never>()
  readonly #lives = new Set<MemoryLive>()
  /** Keys given to `post` whose outcome is unknown. */
  readonly #unsure = new Set<string>()
  sink: InboundSink | undefined
  /** Reads the messages of a gap, if there is one. */
  missed: (() => Promise<void>) | undefined

  constructor(world: World, troubles: Troubles, deps: PlatformDeps) {
    this.#world = world
    this.#troubles = troubles
    this.#deps = deps
    this.#closed.promise.catch(() => undefined)
  }

  async start(sink: InboundSink): Promise<void> {
    this.sink = sink
  }

  async stop(): Promise<void> {
    this.sink = undefined
    for (const live of this.#lives) live.close()
    this.cut()
  }

  /** Live messages that still have to be ended. */
  get open(): MemoryLive[] {
    return [...this.#lives].filter(({ over }) => !over)
  }

  /** How many there were. */
  get opened(): number {
    return this.#lives.size
  }

  /** Drops everything that waits for the platform. */
  cut(): void {
    this.#closed.reject(new Error('the connection is closed'))
  }

  health = (): Health => ({ ok: this.sink !== undefined, detail: 'It is in memory.' })

  pages(content: Content): Page[] {
    if (content.kind === 'record' && isEmpty(content.record)) return []
    if (content.kind === 'files')
      return [{ kind: 'answer', text: '', record: undefined, outgoing: content.files, files: {} }]
    if (content.kind !== 'answer') return [content]
    if (content.text.includes('UNSHOWABLE')) throw new Error('this text has no pages')
    const texts = content.text.split(pageBreak)
    return texts.map((text, index) => ({
      kind: 'answer',
      text,
      record: index === 0 ? content.record : undefined,
      outgoing: index === texts.length - 1 ? content.files : [],
      files: {},
    }))
  }

  async post(thread: ThreadRef, page: unknown, posting: Posting): Promise<string> {
    const { key } = posting
    if (this.#unsure.has(key)) this.#world.violations.push(`${key} was posted again without a look`)
    this.#unsure.add(key)
    try {
      const shown = await withBytes(await this.#withoutFilesLeft(page as Page, posting))
      const { id } = await this.#run({ what: 'post', thread, key, page: shown }, () =>
        this.#world.post(thread, key, shown),
      )
      return id
    } catch (thrown) {
      if (thrown instanceof NotPosted) this.#unsure.delete(key)
      throw thrown
    }
  }

  async #withoutFilesLeft(page: Page, { postpone }: Posting): Promise<Page> {
    if (page.kind !== 'answer' || page.outgoing.length === 0 || this.#troubles.filesLeft === 0) return page
    this.#troubles.filesLeft--
    await postpone(page.outgoing)
    return { ...page, outgoing: [] }
  }

  async find(thread: ThreadRef, { key }: Posting): Promise<string | undefined> {
    const found = await this.#run({ what: 'find', thread, key }, () =>
      this.#world.messages.find((message) => message.key === key && !message.deleted),
    )
    this.#unsure.delete(key)
    return found?.id
  }

  async edit(thread: ThreadRef, id: string, page: unknown): Promise<void> {
    const shown = await withBytes(page as Page)
    await this.#run({ what: 'edit', thread, id, page: shown }, () => {
      const message = this.#world.find(id)
      if (message === undefined) throw new NotPosted('never', 'the message is gone', { isMissing: true })
      this.#world.edit(message, shown)
    })
  }

  async rename(): Promise<void> {}

  async remove(thread: ThreadRef, id: string): Promise<void> {
    await this.#run({ what: 'remove', thread, id }, () => {
      const message = this.#world.find(id)
      if (message !== undefined) message.deleted = true
    })
  }

  /** The person's own direct messages, and the channel. */
  async elsewhere(thread: ThreadRef, person: string): Promise<ThreadRef[]> {
    return [
      { ...thread, project: `dm-${person}`, thread: `dm-${person}` },
      { ...thread, thread: '' },
    ]
  }

  isLater = (message: string, than: string) => Number(message.slice(1)) > Number(than.slice(1))

  live(thread: ThreadRef, options: LiveOptions): MemoryLive {
    const live = new MemoryLive(this, thread, options, this.#deps.show)
    this.#lives.add(live)
    return live
  }

  catchUp(): Promise<void> | undefined {
    return this.missed?.()
  }

  history(thread: ThreadRef, before: string, limit: number): Promise<Heard[]> {
    return this.#run({ what: 'history', thread }, () => {
      const all = this.#world.messages.filter((message) => message.thread.thread === thread.thread && !message.deleted)
      const end = all.findIndex((message) => toHeard(message).dedupKey === before)
      if (end === -1) throw new Error(`${before} is no message of this thread`)
      return all.slice(Math.max(0, end - limit), end).map(toHeard)
    })
  }

  link = (thread: ThreadRef, message?: string) => `https://memory.test/${thread.thread}/${message ?? ''}`
  messageIn = (text: string) => /\b(m\d+)$/.exec(text)?.[1]

  async isMember(_thread: ThreadRef, person: string, group: string): Promise<boolean> {
    return this.#world.groups.get(group)?.includes(person) ?? false
  }

  download(file: RemoteFile): Promise<ReadableStream<Uint8Array>> {
    const thread = { platform: memoryName, tenant: '', project: '', thread: '' }
    return this.#run({ what: 'download', thread, id: file.id }, () => {
      const found = this.#world.messages.flatMap(({ files }) => files).find(({ id }) => id === file.id)
      if (found === undefined) throw new Error(`there is no file ${file.id}`)
      if (this.#troubles.cuts === 0) return new Blob([found.content]).stream()
      this.#troubles.cuts--
      return ReadableStream.from(half(found.content))
    })
  }

  #run<T>(
    {
      thread,
      ...call
    }: { what: Parameters<Troubles['callsTo']>[0]; thread: ThreadRef; key?: string; id?: string; page?: Page },
    effect: () => T,
  ): Promise<T> {
    return this.#troubles.run({ ...call, thread: thread.thread }, this.#closed.promise, effect)
  }
}

async function* half(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content.slice(0, content.length / 2))
  throw new NotPosted('later', 'the connection broke off', { afterMs: 1 })
}

const isEmpty = ({ state, parts, plan, todos, notices, alarm }: TurnView): boolean =>
  state === 'waiting' && parts.length + todos.length + notices.length === 0 && (plan ?? alarm) === undefined

/** The page with its files read, as an adapter reads them when it posts. */
async function withBytes(page: Page): Promise<Page> {
  if (page.kind !== 'answer') return page
  const read = page.outgoing.map(async (file) => [file.name, Buffer.from(await file.bytes()).toString()] as const)
  return { ...page, files: Object.fromEntries(await Promise.all(read)) }
}
