import { struck } from '../text/marks.ts'

/** How deep lists are indented; deeper ones share the last level. */
const maxDepth = 10

interface List {
  isOrdered: boolean
  next: number
  indent: string
}

/** Text that flows into lines: runs of spaces become one, headings and items get their marks. */
export class Lines {
  readonly #lines: string[] = []
  readonly #lists: List[] = []
  #line = ''
  /** What comes after it, struck out. */
  #struck = ''
  #isBlank = true
  #endsInSpace = false
  #prefix = ''
  #isHeading = false

  text(text: string, isStruck = false): void {
    const flat = text.replace(/[ \t\r\n\f]+/g, ' ')
    const shown = (this.#isBlank || this.#endsInSpace) && flat.startsWith(' ') ? flat.slice(1) : flat
    if (shown === '') return
    this.#add(shown, isStruck)
    this.#isBlank = false
    this.#endsInSpace = shown.endsWith(' ')
  }

  /** Keeps spaces and line ends as they are. */
  preformatted(text: string, isStruck: boolean): void {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (index > 0) this.#end()
      this.#add(line, isStruck)
      this.#isBlank = this.#line + this.#struck === ''
    }
  }

  /** Ends the line; two in a row leave a line empty. */
  break(): void {
    if (this.#isHeading) this.text(' ')
    else if (this.#isBlank) this.#space()
    else this.#end()
  }

  /** Ends the line, if there is one. */
  block(): void {
    if (!this.#isBlank) this.#end()
  }

  /** What follows stands apart; within a list, on a line of its own. */
  gap(): void {
    this.block()
    if (this.#lists.length === 0) this.#space()
  }

  heading(level: number): void {
    this.gap()
    this.#prefix = `${'#'.repeat(level)} `
    this.#isHeading = true
  }

  endHeading(): void {
    this.#isHeading = false
    this.gap()
    this.#prefix = this.#indent()
  }

  list(isOrdered: boolean, first: number): void {
    this.gap()
    const outer = this.#lists.at(-1)
    const indent = outer === undefined ? '' : this.#lists.length < maxDepth ? this.#indent() : outer.indent
    this.#lists.push({ isOrdered, next: first, indent })
  }

  endList(): void {
    this.block()
    this.#lists.pop()
    this.#prefix = this.#indent()
    this.gap()
  }

  /** `number`: where it counts on from, if that isn't the next. */
  item(number?: number): void {
    this.block()
    const list = this.#lists.at(-1)
    if (list !== undefined && number !== undefined) list.next = number
    this.#prefix = `${list?.indent ?? ''}${list?.isOrdered ? `${list.next++}.` : '-'} `
  }

  endItem(): void {
    this.block()
    this.#prefix = this.#indent()
  }

  /** Lines that are finished. */
  add(lines: readonly string[]): void {
    this.block()
    for (const line of lines) this.#lines.push(this.#prefix + line)
  }

  end(): string[] {
    this.block()
    while (this.#lines.at(-1) === '') this.#lines.pop()
    return this.#lines
  }

  #add(text: string, isStruck: boolean): void {
    if (isStruck) this.#struck += text
    else if (text !== '') {
      this.#line += struck(this.#struck) + text
      this.#struck = ''
    }
  }

  #end(): void {
    this.#line += struck(this.#struck)
    this.#struck = ''
    const line = this.#line.trimEnd()
    this.#lines.push(line === '' ? '' : this.#prefix + line)
    this.#line = ''
    this.#isBlank = true
    this.#endsInSpace = false
    if (!this.#isHeading && line !== '') this.#prefix = this.#indent()
  }

  #space(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }

  /** Where the text of an item continues. */
  #indent(): string {
    const list = this.#lists.at(-1)
    return list === undefined ? '' : list.indent + (list.isOrdered ? '   ' : '  ')
  }
}
