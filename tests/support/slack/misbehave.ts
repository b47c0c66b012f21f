import type { EnvelopeType } from './courier.ts'
import type { Copies } from './events.ts'
import type { Json } from './json.ts'

/** How a Web API call fails. `stored` means that it took effect all the same. */
export type Fault =
  | { kind: 'limited'; retryAfter: number }
  | { kind: 'refused'; error: string; extra: Json }
  | { kind: 'status'; status: number; stored: boolean }
  /** The connection is reset. */
  | { kind: 'reset'; stored: boolean }
  /** No response. */
  | { kind: 'silent'; stored: boolean }
  /** Until so many ms have passed, or the test lets it go on. */
  | { kind: 'slow'; until: number | Promise<unknown> }

export interface When {
  /** How often; once by default, unless `forMs` is given. */
  times?: number
  forMs?: number
  /** Only calls with these arguments. */
  with?: (args: Json) => boolean
}

interface Rule {
  method: string
  fault: Fault
  left: number
  until: number
  matches: (args: Json) => boolean
}

export type FileFault = 'login-page' | 'redirect' | 'not-found' | 'server-error' | 'cut' | 'silent'

/** Problems that a test sets up. They can change at any time; `clear` ends them all. */
export class Misbehaviour {
  /** How often each event is delivered. */
  copies: Copies = {}
  /** How downloads go wrong, and where `redirect` leads. */
  files: { fault: FileFault; to?: string; times?: number } | undefined
  #rules: Rule[] = []
  /** Events that come late. */
  late: { text: string; until: () => Promise<void> } | undefined
  #lostAcks = 0
  #droppedAcks = 0

  clear() {
    this.late = undefined
    this.copies = {}
    this.files = undefined
    this.#rules = []
    this.#lostAcks = 0
    this.#droppedAcks = 0
  }

  /** `method` may be `*`. The first rule that fits is used. */
  on(method: string, fault: Fault, when: When = {}) {
    this.#rules.push({
      method,
      fault,
      left: when.times ?? (when.forMs === undefined ? 1 : Number.POSITIVE_INFINITY),
      until: when.forMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + when.forMs,
      matches: when.with ?? (() => true),
    })
  }

  /** 429 with Retry-After, seconds. */
  rateLimit(method: string, { retryAfter = 1, ...when }: When & { retryAfter?: number } = {}) {
    this.on(method, { kind: 'limited', retryAfter }, when)
  }

  /** 200 with `ok: false`. */
  refuse(method: string, error: string, { extra = {}, ...when }: When & { extra?: Json } = {}) {
    this.on(method, { kind: 'refused', error, extra }, when)
  }

  /** An answer that is not 200. */
  break(method: string, { status = 500, ...when }: When & { status?: number } = {}) {
    this.on(method, { kind: 'status', status, stored: false }, when)
  }

  /** The call took effect, but the caller learns of a reset, a 500, or nothing at all. */
  storeButFail(method: string, how: 'reset' | '500' | 'silence', when: When = {}) {
    if (how === '500') this.on(method, { kind: 'status', status: 500, stored: true }, when)
    else this.on(method, { kind: how === 'reset' ? 'reset' : 'silent', stored: true }, when)
  }

  /** The call had no effect, and the caller learns of a reset, or nothing at all. */
  drop(method: string, how: 'reset' | 'silence' = 'reset', when: When = {}) {
    this.on(method, { kind: how === 'reset' ? 'reset' : 'silent', stored: false }, when)
  }

  slow(method: string, until: number | Promise<unknown>, when: When = { forMs: Number.POSITIVE_INFINITY }) {
    this.on(method, { kind: 'slow', until }, when)
  }

  /** Ignores the next acks, so the same events come again. */
  loseAcks(count = 1) {
    this.#lostAcks += count
  }

  /** Drops the connection just before the next acks arrive. */
  dropBeforeAcks(count = 1) {
    this.#droppedAcks += count
  }

  losesAck(type: EnvelopeType): boolean {
    if (type !== 'events_api' || this.#lostAcks === 0) return false
    this.#lostAcks--
    return true
  }

  dropsBeforeAck(): boolean {
    if (this.#droppedAcks === 0) return false
    this.#droppedAcks--
    return true
  }

  /** How long the call is delayed; it can have another fault as well. */
  delayFor(method: string, args: Json): number | Promise<unknown> {
    const fault = this.#taken(method, args, true)
    return fault?.kind === 'slow' ? fault.until : 0
  }

  faultFor(method: string, args: Json): Exclude<Fault, { kind: 'slow' }> | undefined {
    const fault = this.#taken(method, args, false)
    return fault?.kind === 'slow' ? undefined : fault
  }

  #taken(method: string, args: Json, slow: boolean): Fault | undefined {
    this.#rules = this.#rules.filter(({ left, until }) => left > 0 && until > Date.now())
    const rule = this.#rules.find(
      (one) =>
        (one.fault.kind === 'slow') === slow && (one.method === '*' || one.method === method) && one.matches(args),
    )
    if (rule) rule.left--
    return rule?.fault
  }

  fileFault(): { fault: FileFault; to?: string } | undefined {
    const { files } = this
    if (files?.times === undefined) return files
    files.times--
    if (files.times <= 0) this.files = undefined
    return files
  }
}
