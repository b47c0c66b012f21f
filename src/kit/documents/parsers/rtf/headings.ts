/** Levels of headings, from 1, that the styles of a document give its paragraphs. */
export class Styles {
  readonly #levels = new Map<number, number>()
  #style = 0
  #level: number | undefined
  #name = ''

  /** The level of a style, by its number; undefined for body text. */
  levelOf(style: number): number | undefined {
    return this.#levels.get(style)
  }

  word(word: string, value: number | undefined): void {
    if (word === 's') this.#style = value ?? 0
    else if (word === 'outlinelevel') this.#level = levelOf(value)
  }

  /** A style ends with its name and a semicolon. */
  text(text: string): void {
    if (this.#name.length < maxName) this.#name += text
    if (!text.includes(';')) return
    const level = this.#level ?? levelOfName(this.#name.slice(0, this.#name.indexOf(';')).trim())
    if (level !== undefined && this.#levels.size < maxStyles) this.#levels.set(this.#style, level)
    this.#style = 0
    this.#level = undefined
    this.#name = ''
  }
}

const maxName = 1000
const maxStyles = 10_000

function levelOfName(name: string): number | undefined {
  if (/^title$/i.test(name)) return 1
  const level = /^heading ([1-9])$/i.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** `\outlinelevel0` is the highest, 9 is body text. */
export const levelOf = (outline: number | undefined): number | undefined =>
  outline !== undefined && outline >= 0 && outline <= 8 ? outline + 1 : undefined

/** What a paragraph of this level begins with; Markdown has six. */
export const headingMark = (level: number): string => `${'#'.repeat(Math.min(level, 6))} `
