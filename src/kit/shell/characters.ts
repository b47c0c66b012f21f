// Characters that are invisible, or look like something else.
const kinds: { reason: string; ranges: [number, number][] }[] = [
  {
    reason: 'it has control characters, which a terminal does not show',
    ranges: [
      [0, 8],
      [0x0b, 0x1f],
      [0x7f, 0x9f],
    ],
  },
  {
    reason: 'it has characters that change the direction in which text is shown',
    ranges: [
      [0x61c, 0x61c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
  },
  {
    reason: 'it has invisible characters',
    ranges: [
      [0xad, 0xad],
      [0x34f, 0x34f],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180e],
      [0x200b, 0x200d],
      [0x2060, 0x2064],
      [0x206a, 0x206f],
      [0x3164, 0x3164],
      [0xfeff, 0xfeff],
      [0xffa0, 0xffa0],
      [0xe0000, 0xe0fff],
    ],
  },
  {
    reason: 'it has characters that look like a space and are none',
    ranges: [
      [0xa0, 0xa0],
      [0x1680, 0x1680],
      [0x2000, 0x200a],
      [0x2028, 0x2029],
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
    ],
  },
  {
    reason: 'it has characters that look like those of a shell and are none',
    ranges: [
      [0x37e, 0x37e],
      [0x1c3, 0x1c3],
      [0x2044, 0x2044],
      [0x2215, 0x2216],
      [0x2223, 0x2223],
      [0xa789, 0xa789],
      [0xff01, 0xff0f],
      [0xff1a, 0xff20],
      [0xff3b, 0xff40],
      [0xff5b, 0xff5e],
    ],
  },
]

const dashes = /(?:^|\s)[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]\w/

/** Why a text may not be what it looks like. */
export function strangeCharacters(text: string): string[] {
  const unclear = new Set<string>()
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if ((code >= 0x20 && code < 0x7f) || code === 9 || code === 10) continue
    for (const { reason, ranges } of kinds) {
      if (ranges.some(([first, last]) => code >= first && code <= last)) unclear.add(reason)
    }
  }
  if (dashes.test(text)) unclear.add('it has a dash that looks like the one of an option and is none')
  if (!text.isWellFormed()) unclear.add('it is not valid Unicode')
  return [...unclear]
}

export const isPlain = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)
