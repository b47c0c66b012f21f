interface Emoji {
  type: 'emoji'
  name: string
  unicode: string
}

const isEmoji = (value: object): value is Emoji =>
  'type' in value &&
  value.type === 'emoji' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'unicode' in value &&
  typeof value.unicode === 'string' &&
  /^[\da-f]{2,5}(-[\da-f]{2,5}){0,11}$/.test(value.unicode)

/** Those that are characters; a workspace's own aren't. */
function* emojiIn(value: unknown): Generator<Emoji> {
  if (typeof value !== 'object' || value === null) return
  if (isEmoji(value)) yield value
  else for (const one of Object.values(value)) yield* emojiIn(one)
}

const skinTones = { from: 0x1f3fb, to: 0x1f3ff }

/** How the text beside the blocks names it, and its character. */
function named({ name, unicode }: Emoji): [string, string] {
  const codes = unicode.split('-').map((hex) => Number.parseInt(hex, 16))
  const tone = codes.find((code) => code >= skinTones.from && code <= skinTones.to)
  const toned = tone === undefined ? '' : `:skin-tone-${tone - skinTones.from + 2}:`
  return [`:${name.split('::', 1)[0]}:${toned}`, String.fromCodePoint(...codes)]
}

/** Slack's texts name emoji, as in `:+1:`. Those that the blocks list become characters, as people see them. */
export function withEmoji(text: string, blocks: unknown): string {
  const names = [...new Map([...emojiIn(blocks)].map(named))]
  // Those with a skin tone first: `:+1:` is part of `:+1::skin-tone-2:`.
  const longestFirst = names.toSorted(([one], [other]) => other.length - one.length)
  return longestFirst.reduce((done, [name, character]) => done.replaceAll(name, character), text)
}
