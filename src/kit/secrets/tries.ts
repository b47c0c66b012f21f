const maxTries = 4

/**
 * Names and beginnings may repeat without end (`token=token=token=…`), each with the whole rest as its value. This many
 * of one row are checked; the rest of the row is skipped, so that the time stays linear.
 */
export class Tries {
  #end = 0
  #count = 0

  allows(at: number): boolean {
    return at >= this.#end || this.#count < maxTries
  }

  /** The text from `at` to before `end` was checked. */
  tried(at: number, end: number): void {
    this.#count = at >= this.#end ? 1 : this.#count + 1
    this.#end = Math.max(this.#end, end)
  }
}
