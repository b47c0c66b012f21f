const maxTries = 4

/**
 * Names and beginnings may stand in a row without end (`token=token=token=…`), each with the whole row behind it for a
 * value. So many of one row are looked at; then the row is passed over, and the time stays linear.
 */
export class Tries {
  #end = 0
  #count = 0

  allows(at: number): boolean {
    return at >= this.#end || this.#count < maxTries
  }

  /** What stands from `at` to before `end` was looked at. */
  tried(at: number, end: number): void {
    this.#count = at >= this.#end ? 1 : this.#count + 1
    this.#end = Math.max(this.#end, end)
  }
}
