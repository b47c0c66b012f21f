import { isCrossedOut } from './attributes.ts'

const names = (words: string): Set<string> => new Set(words.split(' '))

/** They have no end tag. */
const empty = names('area base br col embed hr img input link meta param source track wbr')

const blocks =
  'address article aside blockquote center details dialog div dl dd dt fieldset figcaption figure footer form h header hr li main menu nav ol p pre section summary table ul'

/** What start tags end although its end tag is missing, unless that is outside of the innermost `within`. */
const implied = [
  { starts: names(blocks), ends: names('p'), within: names('table') },
  { starts: names('a'), ends: names('a'), within: names('table') },
  { starts: names('h'), ends: names('h'), within: names('table') },
  { starts: names('li'), ends: names('li'), within: names('ul ol') },
  { starts: names('dt dd'), ends: names('dt dd'), within: names('dl') },
  { starts: names('td th'), ends: names('td th caption'), within: names('table') },
  { starts: names('tr'), ends: names('tr td th caption'), within: names('table') },
  { starts: names('thead tbody tfoot'), ends: names('thead tbody tfoot tr td th caption'), within: names('table') },
]

/** What lies deeper isn't followed, so nothing in it begins to be struck out. */
const maxOpen = 100

/** Knows where elements whose style strikes their text out begin and end; in doubt, text isn't struck out. */
export class Crossed {
  readonly #elements: { kind: string; isStruck: boolean }[] = []

  get isOpen(): boolean {
    return this.#elements.at(-1)?.isStruck === true
  }

  open(element: string, tag: string): void {
    const kind = kindOf(element)
    for (const { starts, ends, within } of implied) if (starts.has(kind)) this.#end(ends, within)
    if (empty.has(kind) || tag.endsWith('/') || this.#elements.length >= maxOpen) return
    this.#elements.push({ kind, isStruck: this.isOpen || isCrossedOut(tag) })
  }

  /** Ends what is open in the element, too. */
  close(element: string): void {
    const kind = kindOf(element)
    const at = this.#elements.findLastIndex((open) => open.kind === kind)
    if (at !== -1) this.#elements.length = at
  }

  #end(ends: Set<string>, within: Set<string>): void {
    const from = this.#elements.findLastIndex(({ kind }) => within.has(kind)) + 1
    const at = this.#elements.findIndex(({ kind }, index) => index >= from && ends.has(kind))
    if (at !== -1) this.#elements.length = at
  }
}

/** Any heading's end tag ends any heading. */
const kindOf = (element: string): string => (/^h[1-6]$/.test(element) ? 'h' : element)
