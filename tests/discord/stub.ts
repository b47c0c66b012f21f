import type { Change, Heard, Ignored, ThreadRef } from '../../src/domain/chat.ts'
import type { Given } from '../../src/domain/question.ts'
import type { Request } from '../../src/domain/request.ts'
import type { ClickOutcome, GivenCommand, InboundSink } from '../../src/platforms/inbound-sink.ts'
import type { ChatPlatform, OutgoingFile, PlatformDeps, Posting } from '../../src/platforms/platform.ts'

/** A core that remembers what it was told. */
export class StubSink implements InboundSink {
  readonly heard: Heard[] = []
  readonly changes: Change[] = []
  readonly answers: { id: string; given: Given; by: string }[] = []
  readonly commands: GivenCommand[] = []
  readonly judgements: unknown[] = []
  readonly ignored: Ignored[] = []
  readonly requests = new Map<string, Request>()
  known: ThreadRef[] = []
  outcome: (id: string, given: Given) => ClickOutcome = (id) => {
    const request = this.requests.get(id)
    return request === undefined ? { kind: 'not-found' } : { kind: 'taken', request }
  }
  /** Before something is stored: throws for a core that cannot. */
  beforeStoring = (_heard: Heard): void => {}

  beforeChanging = (): void => {}

  async hear(heard: Heard) {
    this.beforeStoring(heard)
    const duplicate = this.heard.some(({ dedupKey }) => dedupKey === heard.dedupKey)
    if (!duplicate) this.heard.push(heard)
    return { kind: duplicate ? ('duplicate' as const) : ('new' as const) }
  }

  async change(change: Change) {
    this.beforeChanging()
    this.changes.push(change)
  }

  async answer(id: string, given: Given, by: { person: { id: string } }) {
    this.answers.push({ id, given, by: by.person.id })
    return this.outcome(id, given)
  }

  async whyNot() {
    return undefined
  }

  async takesFiles() {
    return true
  }

  async request(id: string) {
    return this.requests.get(id)
  }

  async command(command: GivenCommand) {
    this.commands.push(command)
    return `did ${command.name}`
  }

  async feedback(on: unknown) {
    this.judgements.push(on)
  }

  readonly retried: { tenant?: string; project?: string }[] = []
  async changed(where: { tenant?: string; project?: string }) {
    this.retried.push(where)
  }

  async home() {
    return undefined
  }

  readonly renames: { thread: ThreadRef; title: string }[] = []
  async renamed(thread: ThreadRef, title: string) {
    this.renames.push({ thread, title })
  }

  readonly deleted: ThreadRef[] = []
  async threadDeleted(thread: ThreadRef) {
    this.deleted.push(thread)
  }

  async ignore(ignored: Ignored) {
    this.ignored.push(ignored)
  }

  async threads() {
    return this.known
  }

  get texts(): string[] {
    return this.heard.map(({ text }) => text)
  }
}

/** Notes that outlive the platform that writes them, and a log that can be read. */
export function stubDeps(
  notes = new Map<string, string>(),
): PlatformDeps & { lines: { level: string; about: object; what: string }[] } {
  const lines: { level: string; about: object; what: string }[] = []
  const line = (level: string) => (about: object, what: string) => void lines.push({ level, about, what })
  return {
    notes: {
      get: async (name) => notes.get(name),
      set: async (name, value) => void notes.set(name, value),
      own: (name) => name,
      inherit: async () => undefined,
    },
    isReplaced: async () => false,
    clock: { now: () => Date.now() },
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    show: { firstMs: 50, everyMs: 100, mostMessages: 3 },
    catchUpDays: 14,
    lines,
  }
}

/** A posting as the core makes it: what is remembered stands in the next one. */
export function posting(key: string): Posting & { kept: string | undefined; postponed: string[]; again(): Posting } {
  const one = {
    key,
    note: undefined as string | undefined,
    kept: undefined as string | undefined,
    since: Date.now(),
    isOther: async () => false,
    postponed: [] as string[],
    postpone: async (files: OutgoingFile[]) => {
      one.postponed = files.map(({ name }) => name)
    },
    remember: async (note: string) => {
      one.kept = note
    },
    again: (): Posting => ({ ...one, note: one.kept }),
  }
  return one
}

export const answer = (text: string) => ({ kind: 'answer' as const, text, files: [], record: undefined })

const said = { answers: 0 }

/** Posts all pages of an answer. */
export async function say(platform: ChatPlatform, thread: ThreadRef, text: string, key = `answer-${said.answers++}`) {
  const ids: string[] = []
  for (const [index, page] of platform.pages(answer(text)).entries()) {
    ids.push(await platform.post(thread, page, posting(`${key}.${index}`)))
  }
  return ids
}
