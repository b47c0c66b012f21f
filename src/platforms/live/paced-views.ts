import type { TurnView } from '../../domain/turn-view.ts'

/**
 * What became of a view. `nothing`: it has nothing to show yet. `later`: there was no room, so it or a newer one is
 * tried again. `over`: nothing more is to be shown.
 */
export type Shown = 'shown' | 'nothing' | 'later' | 'over'

export interface PacedViewsOptions {
  /** Before the first view is shown, ms. */
  firstMs: number
  /** The shortest time between two views, ms. */
  everyMs: number
  show(view: TurnView): Promise<Shown>
  /** A view could not be shown, and isn't tried again. */
  failed(thrown: unknown): void
}

/** Shows a turn's views at the right times: the latest one, one at a time. */
export class PacedViews {
  readonly #options: PacedViewsOptions
  #view: TurnView | undefined
  /** There is something that is not shown yet. */
  #dirty = false
  #ended = false
  #nextAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(options: PacedViewsOptions) {
    this.#options = options
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** A newer view replaces one that hasn't been shown yet. Never throws. */
  show(view: TurnView): void {
    if (this.#ended) return
    this.#nextAt ??= Date.now() + this.#options.firstMs
    this.#view = view
    this.again()
  }

  /** The latest view would look different now. */
  again(): void {
    this.#dirty = true
    this.#plan()
  }

  /** No other view is begun. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  /** Resolves once the view being shown is done. Never rejects. */
  idle(): Promise<void> {
    return this.#work
  }

  #plan(): void {
    if (this.#ended || this.#timer !== undefined || !this.#dirty) return
    const waitMs = Math.max(0, (this.#nextAt ?? 0) - Date.now())
    this.#timer = setTimeout(() => {
      this.#work = this.#work.then(() => this.#tick())
    }, waitMs)
  }

  async #tick(): Promise<void> {
    const view = this.#view
    if (this.#ended || view === undefined) return
    const dueAt = this.#nextAt
    this.#dirty = false
    this.#nextAt = Date.now() + this.#options.everyMs
    try {
      const done = await this.#options.show(view)
      if (done === 'over') this.#ended = true
      if (done === 'later') this.#dirty = true
      if (done === 'nothing') this.#nextAt = dueAt
    } catch (thrown) {
      this.#options.failed(thrown)
    }
    this.#timer = undefined
    this.#plan()
  }
}
