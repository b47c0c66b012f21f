import { type DutyRow, dropDuty, notesOfDuty, settleDuty, takeDuty } from '../store/duties.ts'
import type { Store } from '../store/store.ts'
import { type Looking, lookOften } from './look-often.ts'

/** How often to check who has it, ms. */
const lookMs = 500

interface Work {
  begin(): Promise<void>
  end(): Promise<void>
}

/**
 * What one of several processes does for all, as one of them sees it. When that process is gone or gives it up, another
 * does it.
 */
export class SharedDuty {
  readonly #store: Store
  readonly #name: string
  readonly #holder: string
  readonly #report: (thrown: unknown) => void
  readonly notes: ReturnType<typeof notesOfDuty>
  #work: Work | undefined
  #row: DutyRow | undefined
  #hasBegun = false
  #isLeaving = false
  #looking: Looking | undefined
  #settling = Promise.resolve()
  /** What isn't caught up with; undefined if nothing is. */
  #standing: string[] | undefined
  #isTold = true

  constructor(store: Store, name: string, holder: string, report: (thrown: unknown) => void) {
    this.#store = store
    this.#name = name
    this.#holder = holder
    this.#report = report
    this.notes = notesOfDuty(store, name, holder)
  }

  get heldBy() {
    const row = this.#row
    return row && { node: row.node, isHere: row.holder === this.#holder, isSettled: row.isSettled, except: row.except }
  }

  async take(work: Work): Promise<void> {
    this.#work = work
    await this.look()
    if (this.#isLeaving) return
    this.#looking = lookOften(lookMs, () => this.look(), this.#report)
    this.#looking.start()
  }

  /** One at a time. */
  async look(): Promise<void> {
    const work = this.#work
    if (this.#isLeaving || work === undefined) return
    const row = await takeDuty(this.#store, this.#name, this.#holder)
    this.#row = row
    const isOurs = row?.holder === this.#holder
    if (isOurs && !this.#isLeaving) {
      if (!this.#isTold) this.#tell()
      if (this.#hasBegun) return
      this.#hasBegun = true
      return work.begin().catch((thrown) => {
        // The next look tries again.
        this.#hasBegun = false
        throw thrown
      })
    }
    if (!isOurs && !this.#hasBegun) return
    await this.#end()
    // It is still ours if this process is about to end.
    await dropDuty(this.#store, this.#name, this.#holder)
  }

  /** Another process is gone. Until the next look it isn't known here that another one has caught up. */
  doubt(): void {
    if (this.#row?.holder !== this.#holder) this.#row &&= { ...this.#row, isSettled: false, except: [] }
  }

  settled(is: boolean, except: string[] = []): void {
    this.#standing = is ? except : undefined
    this.#isTold = false
    this.#tell()
  }

  #tell(): void {
    // What changes meanwhile is told at once.
    this.#settling = this.#settling.then(() => this.#settle()).catch((thrown) => this.#report(thrown))
  }

  async #settle(): Promise<void> {
    if (this.#isTold) return
    this.#isTold = true
    try {
      await settleDuty(this.#store, this.#name, this.#holder, this.#standing)
    } catch (thrown) {
      // The next look tries again.
      this.#isTold = false
      throw thrown
    }
  }

  async leave(): Promise<void> {
    if (this.#isLeaving) return
    this.#isLeaving = true
    await this.#end()
    await this.#settling
    await dropDuty(this.#store, this.#name, this.#holder)
    await this.#looking?.stop()
  }

  async #end(): Promise<void> {
    const hasBegun = this.#hasBegun
    this.#hasBegun = false
    if (hasBegun) await this.#work?.end()
  }
}
