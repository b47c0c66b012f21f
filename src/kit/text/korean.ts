type NodeDecoder = InstanceType<typeof TextDecoder>

/**
 * Korean as Windows has it (code page 949). Node knows only the older part of it, although the standard says otherwise,
 * and of the 11,172 syllables that lacks 8,822.
 */
export class KoreanDecoder {
  readonly #decoder: NodeDecoder
  #held: Uint8Array = new Uint8Array()

  /** `decoder`: Node's own. */
  constructor(decoder: NodeDecoder) {
    this.#decoder = decoder
  }

  decode(bytes: Uint8Array, { stream = false }: { stream?: boolean } = {}): string {
    const known = addedCharacters()
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    let text = ''
    let from = 0
    let at = 0
    while (at < all.length) {
      const lead = all[at] ?? 0
      const isPair = lead > 0x80 && lead < 0xff
      // Its other half comes with the next piece.
      if (isPair && stream && at + 1 === all.length) break
      const character = isPair ? known.get(lead * 256 + (all[at + 1] ?? 0)) : undefined
      if (character !== undefined) {
        text += this.#decoder.decode(all.subarray(from, at)) + character
        from = at + 2
      }
      at += isPair ? 2 : 1
    }
    // The caller may use its buffer again.
    this.#held = all.slice(at)
    return text + this.#decoder.decode(all.subarray(from, at))
  }
}

/** By their two bytes. The syllables are put in when first needed. */
const added = new Map([
  [0xa2e6, '€'],
  [0xa2e7, '®'],
])

/** Windows gave the syllables that were missing the free codes, in the order of the alphabet. */
function addedCharacters(): ReadonlyMap<number, string> {
  if (added.size > 2) return added
  const older = new Set(olderSyllables())
  const missing = Array.from({ length: 11_172 }, (_, index) => String.fromCharCode(0xac00 + index)).filter(
    (syllable) => !older.has(syllable),
  )
  let next = 0
  for (let lead = 0x81; lead <= 0xc6; lead++)
    for (let trail = 0x41; trail <= (lead <= 0xa0 ? 0xfe : 0xa0); trail++) {
      const isLetter = (trail <= 0x5a || trail >= 0x61) && (trail <= 0x7a || trail >= 0x81)
      const syllable = isLetter ? missing[next++] : undefined
      if (syllable !== undefined) added.set(lead * 256 + trail, syllable)
    }
  return added
}

function olderSyllables(): string {
  const bytes: number[] = []
  for (let lead = 0xb0; lead <= 0xc8; lead++) for (let trail = 0xa1; trail <= 0xfe; trail++) bytes.push(lead, trail)
  return new TextDecoder('euc-kr').decode(Uint8Array.from(bytes))
}
