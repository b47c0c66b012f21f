import { addressIn } from '../doc/fields.ts'
import { isSame } from '../docx/inline.ts'

const longestCode = 5000
const longestWords = 1000
const addressCharacters = 500

/** What a field is, and what it shows. */
export class Field {
  #code = ''
  #words = ''

  code(text: string): void {
    if (this.#code.length < longestCode) this.#code += text
  }

  words(text: string): void {
    if (this.#words.length < longestWords) this.#words += text
  }

  /** Where it leads, as what follows its words. Nothing if it isn't a link, or if they say it already. */
  address(): string {
    const [address, words] = [addressIn(this.#code).slice(0, addressCharacters).toWellFormed(), this.#words.trim()]
    return address === '' || words === '' || isSame(words, address) ? '' : ` (${address})`
  }
}
