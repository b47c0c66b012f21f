export type Token =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; word: string; value?: number }
  /** `\~`, `\-` and the like. */
  | { kind: 'symbol'; symbol: string }
  /** One byte, as `\'e4`. */
  | { kind: 'byte'; byte: number }
  | { kind: 'text'; text: string }

/** The words of an RTF file, one at a time. `rtf` holds one byte per character. */
export function* tokensOf(rtf: string): Generator<Token> {
  for (let at = 0; at < rtf.length; ) {
    const character = rtf.charAt(at)
    if (character === '{' || character === '}') {
      yield { kind: character === '{' ? 'open' : 'close' }
      at++
    } else if (character !== '\\') {
      special.lastIndex = at
      const end = special.exec(rtf)?.index ?? rtf.length
      const text = rtf.slice(at, end)
      at = end
      // Line ends in the file mean nothing.
      const shown = text.replace(/[\r\n\0]+/g, '')
      if (shown !== '') yield { kind: 'text', text: shown }
    } else {
      const { token, end, skip } = controlAt(rtf, at)
      yield token
      at = end + skip
    }
  }
}

const special = /[\\{}]/g
const control = /\\([a-z]{1,32})(-?\d{1,10})? ?/iy

function controlAt(rtf: string, at: number): { token: Token; end: number; skip: number } {
  control.lastIndex = at
  const match = control.exec(rtf)
  if (match === null) return symbolAt(rtf, at)
  const [whole, word = '', digits] = match
  const value = digits === undefined ? undefined : Number(digits)
  // `\binN` is followed by this many arbitrary bytes.
  const skip = word === 'bin' && value !== undefined && value > 0 ? value : 0
  return { token: { kind: 'word', word, ...(value === undefined ? {} : { value }) }, end: at + whole.length, skip }
}

function symbolAt(rtf: string, at: number): { token: Token; end: number; skip: number } {
  const symbol = rtf.charAt(at + 1)
  const hex = rtf.slice(at + 2, at + 4)
  if (symbol === "'" && /^[0-9a-f]{2}$/i.test(hex)) {
    return { token: { kind: 'byte', byte: Number.parseInt(hex, 16) }, end: at + 4, skip: 0 }
  }
  return { token: { kind: 'symbol', symbol }, end: at + 2, skip: 0 }
}
