import { isCrossedOut } from './attributes.ts'

/** They hold other elements of their kind, so what is open in them ends with them. */
const nesting = new Set(['table', 'ul', 'ol'])
/** Elements whose end tag may be missing: the next of their kind ends them. */
const impliedEnd = new Set('p li td th tr dt dd'.split(' '))
const empty = new Set('br hr img input wbr'.split(' '))

/** Knows where an element whose style strikes its text out begins and ends. */
export class Crossed {
  #level = 0
  #crossed: { element: string; level: number; open: number } | undefined

  get isOpen(): boolean {
    return this.#crossed !== undefined
  }

  open(element: string, tag: string): void {
    const crossed = this.#crossed
    if (crossed?.element === element) {
      if (!impliedEnd.has(element)) crossed.open++
      else if (crossed.level === this.#level) this.#crossed = undefined
    }
    if (this.#crossed === undefined && !empty.has(element) && isCrossedOut(tag))
      this.#crossed = { element, level: this.#level, open: 1 }
    if (nesting.has(element)) this.#level++
  }

  close(element: string): void {
    if (nesting.has(element)) this.#level = Math.max(0, this.#level - 1)
    const crossed = this.#crossed
    if (crossed === undefined) return
    const isOwn = crossed.element === element && (crossed.level === this.#level || !impliedEnd.has(element))
    if (this.#level < crossed.level || (isOwn && --crossed.open === 0)) this.#crossed = undefined
  }
}
