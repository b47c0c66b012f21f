import type { Heard, Person, ThreadRef } from '../../../src/domain/chat.ts'
import type { Request } from '../../../src/domain/request.ts'
import type { TurnView } from '../../../src/domain/turn-view.ts'
import type { OutgoingFile } from '../../../src/platforms/platform.ts'

export const memoryName = 'memory'

/** What one of the bot's messages shows. */
export type Page =
  | {
      kind: 'answer'
      text: string
      record: TurnView | undefined
      outgoing: OutgoingFile[]
      /** The files' content when they were posted, by name. */
      files: Record<string, string>
    }
  | { kind: 'card'; request: Request }
  | { kind: 'record'; record: TurnView }
  | { kind: 'progress'; view: TurnView }

export interface Message {
  id: string
  thread: ThreadRef
  at: number
  editedAt?: number
  author: Heard['author']
  person: Person
  text: string
  files: { id: string; name: string; content: string }[]
  mentioned: boolean
  direct: boolean
  quotesOthers?: true | undefined
  deleted: boolean
  /** For the bot's messages: the key, and everything it has shown, latest last. */
  key: string | undefined
  pages: Page[]
}

export const pageOf = (message: Message): Page => {
  const page = message.pages.at(-1)
  if (page === undefined) throw new Error(`message ${message.id} is not the bot's`)
  return page
}

export const wordsOf = (page: Page): string | undefined => (page.kind === 'answer' ? page.text : undefined)

const bobbin: Person = { id: 'bobbin', name: 'Bobbin' }

/** The platform's state, which outlives the bot. */
export class World {
  readonly messages: Message[] = []
  /** Requests of the bot that no adapter has to support. */
  /** Members by group. */
  readonly groups = new Map<string, string[]>()
  /** People of other workspaces. */
  readonly outsiders = new Set<string>()
  /** People who can't be looked up. */
  readonly unchecked = new Set<string>()
  readonly violations: string[] = []
  #number = 0
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  add(
    message: Omit<Message, 'id' | 'at' | 'deleted' | 'thread'> & {
      thread: Omit<ThreadRef, 'thread'> & { thread?: string }
    },
  ) {
    const id = `m${++this.#number}`
    const thread = { ...message.thread, thread: message.thread.thread ?? id }
    const added: Message = { ...message, id, thread, at: this.#now(), deleted: false }
    this.messages.push(added)
    return added
  }

  /** A clock that never gives two messages the same time. */
  #now(): number {
    return Math.max(this.#clock(), (this.messages.at(-1)?.at ?? 0) + 1)
  }

  post(thread: ThreadRef, key: string, page: Page): Message {
    if (!/^[A-Za-z0-9_.-]{1,80}$/.test(key)) this.violations.push(`${key} is no key`)
    if (this.messages.some((message) => message.key === key)) this.violations.push(`${key} was posted twice`)
    if (page.kind === 'progress' && this.#ended(page.view)) this.violations.push(`${key}: progress after the end`)
    const nobody = { text: '', files: [], mentioned: false, direct: false }
    return this.add({ ...nobody, thread: { ...thread }, author: 'self', person: bobbin, key, pages: [page] })
  }

  edit(message: Message, page: Page): void {
    const before = pageOf(message)
    const isEnd = before.kind !== 'progress'
    if (isEnd && page.kind !== before.kind) {
      this.violations.push(`${message.key}: ${before.kind} became ${page.kind}`)
    }
    if (before.kind === 'answer' && page.kind === 'answer' && before.text !== page.text) {
      this.violations.push(`${message.key}: another answer`)
    }
    message.pages.push(page)
  }

  find(id: string): Message | undefined {
    return this.messages.find((message) => message.id === id && !message.deleted)
  }

  /** Whether the message of this turn that the view belongs to shows its end somewhere. */
  #ended({ turn, segment }: TurnView): boolean {
    return this.messages
      .flatMap(({ pages }) => pages)
      .some((page) => {
        const record = page.kind === 'answer' || page.kind === 'record' ? page.record : undefined
        return record?.turn === turn && record.segment === segment
      })
  }
}
