import { type Again, NotPosted } from '../../../src/platforms/platform.ts'
import type { Page } from './world.ts'

/** One call of the bot to the platform. */
export interface Call {
  what: 'post' | 'edit' | 'remove' | 'find' | 'history' | 'download'
  /** Of the thread's root. */
  thread: string
  key?: string
  id?: string
  page?: Page
}

export interface Fitting {
  times?: number
  fits?(call: Call): boolean
}

/** `done`: it takes effect all the same. */
type Trouble =
  | { kind: 'fails'; done: boolean }
  | { kind: 'refuses'; again: Again; afterMs: number | undefined; gone: boolean; everywhere: boolean }
  | { kind: 'waits'; done: boolean; until: Promise<void> }

interface Rule extends Required<Fitting> {
  what: Call['what']
  trouble: Trouble
}

export interface Held {
  /** How many calls wait. */
  readonly waiting: number
  release(): void
}

/** Problems on the platform, and all calls to it. */
export class Troubles {
  readonly calls: Call[] = []
  /** How many of the next downloads break off in the middle. */
  cuts = 0
  /** How many of the next answers are posted without their files, which are left for later. */
  filesLeft = 0
  #rules: Rule[] = []

  /** The call throws without effect. */
  failBefore(what: Call['what'], fitting: Fitting = {}): void {
    this.#add(what, { kind: 'fails', done: false }, fitting)
  }

  /** The call throws but takes effect. */
  failAfter(what: Call['what'], fitting: Fitting = {}): void {
    this.#add(what, { kind: 'fails', done: true }, fitting)
  }

  refuse(
    what: 'post' | 'edit' | 'remove' | 'history' | 'download',
    again: Again,
    {
      afterMs,
      gone = false,
      everywhere = false,
      ...fitting
    }: Fitting & {
      afterMs?: number
      gone?: boolean
      everywhere?: boolean
    } = {},
  ) {
    this.#add(what, { kind: 'refuses', again, afterMs, gone, everywhere }, fitting)
  }

  /** The call waits until it is released. `done`: it takes effect right away, and only the response is late. */
  hold(what: Call['what'], { done = false, ...fitting }: Fitting & { done?: boolean } = {}): Held {
    const { promise, resolve } = Promise.withResolvers<void>()
    let waiting = 0
    const { fits = () => true, times = Number.POSITIVE_INFINITY } = fitting
    const counted = (call: Call) => {
      const is = fits(call)
      if (is) waiting++
      return is
    }
    this.#add(what, { kind: 'waits', done, until: promise }, { times, fits: counted })
    return {
      get waiting() {
        return waiting
      },
      release: () => {
        this.#rules = this.#rules.filter(({ trouble }) => trouble.kind !== 'waits' || trouble.until !== promise)
        resolve()
      },
    }
  }

  calm(): void {
    this.cuts = 0
    this.filesLeft = 0
    this.#rules = []
  }

  callsTo(what: Call['what']): Call[] {
    return this.calls.filter((call) => call.what === what)
  }

  /** Runs the call with the current problems. `closed` rejects when nobody waits for it any more. */
  async run<T>(call: Call, closed: Promise<never>, effect: () => T | Promise<T>): Promise<T> {
    this.calls.push(call)
    const trouble = this.#next(call)
    if (trouble === undefined) return effect()
    if (trouble.kind === 'refuses') {
      const { again, afterMs, gone, everywhere } = trouble
      const remedy = again === 'repairable' ? { remedy: 'Mend it' } : {}
      throw new NotPosted(again, `refused: ${again}`, { afterMs, gone, everywhere, ...remedy })
    }
    if (trouble.kind === 'fails') {
      if (trouble.done) await effect()
      throw new Error(`the ${call.what} failed`)
    }
    if (!trouble.done) {
      await Promise.race([trouble.until, closed])
      return effect()
    }
    const result = await effect()
    await Promise.race([trouble.until, closed])
    return result
  }

  #add(what: Call['what'], trouble: Trouble, { times = 1, fits = () => true }: Fitting): void {
    this.#rules.push({ what, trouble, times, fits })
  }

  #next(call: Call): Trouble | undefined {
    const rule = this.#rules.find(({ what, times, fits }) => what === call.what && times > 0 && fits(call))
    if (rule === undefined) return undefined
    rule.times--
    return rule.trouble
  }
}
