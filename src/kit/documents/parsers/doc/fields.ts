import type { Range } from './word-file.ts'

const begin = '\x13'
const separator = '\x14'
const end = '\x15'

/** What a mark of a field does to the text after it. */
export type FieldMark = { kind: 'begin'; href: string } | { kind: 'separator' } | { kind: 'end' }

/**
 * The marks of fields in a part: between its beginning and its separator stands what the field is, after that what it
 * shows. Marks without a counterpart are left out, so that they hide nothing.
 */
export function fieldsIn(text: string, { from, to }: Range): ReadonlyMap<number, FieldMark> {
  const marks = new Map<number, FieldMark>()
  const open: { at: number; separator?: number }[] = []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const any = /[\x13-\x15]/g
  any.lastIndex = from
  for (let found = any.exec(text); found !== null && found.index < to; found = any.exec(text)) {
    const [mark] = found
    const last = open.at(-1)
    if (mark === begin) open.push({ at: found.index })
    else if (mark === separator && last !== undefined) last.separator ??= found.index
    else if (mark === end && last !== undefined) {
      open.pop()
      const code = text.slice(last.at + 1, Math.min(last.separator ?? found.index, last.at + maxCode))
      marks.set(last.at, { kind: 'begin', href: addressIn(code) })
      if (last.separator !== undefined) marks.set(last.separator, { kind: 'separator' })
      marks.set(found.index, { kind: 'end' })
    }
  }
  return marks
}

const maxCode = 5000

/** Of a link to elsewhere. */
export function addressIn(code: string): string {
  const [, quoted, bare = ''] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))/i.exec(code) ?? []
  return (quoted ?? bare).replaceAll('\\\\', '\\')
}

/** How the fields stand that a reader is in. */
export class FieldState {
  readonly #open: { href: string; isCode: boolean }[] = []
  #codes = 0

  take(mark: FieldMark): void {
    const last = this.#open.at(-1)
    if (mark.kind === 'begin') {
      this.#open.push({ href: mark.href || (last?.href ?? ''), isCode: true })
      this.#codes++
    } else if (last !== undefined) {
      if (last.isCode) this.#codes--
      last.isCode = false
      if (mark.kind === 'end') this.#open.pop()
    }
  }

  /** Whether the text isn't shown. */
  get isCode(): boolean {
    return this.#codes > 0
  }

  /** The address that the text leads to, or nothing. */
  get href(): string {
    return this.#open.at(-1)?.href ?? ''
  }
}
