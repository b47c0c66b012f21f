import { type Block, type Json, listAt, stringAt } from './json.ts'

/** What Slack keeps as it is; all other `&`, `<` and `>` that a person types come as entities. */
const tokens = /<(?:@[UWB][A-Z0-9]+(?:\|[^>]*)?|#C[A-Z0-9]+(?:\|[^>]*)?|![^>]+|(?:https?|mailto):[^>]+)>/g

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Some of those that Slack knows. */
const emoji = [
  { name: '+1', character: '👍' },
  { name: 'rocket', character: '🚀' },
]
const emojiNames = /:([a-z0-9_+-]+):(?::skin-tone-([2-6]):)?/g
const firstTone = 0x1f3fb

const namedEmoji = (typed: string): string =>
  emoji.reduce(
    (done, { name, character }) =>
      done.replaceAll(new RegExp(`${character}([🏻-🏿])?`, 'gu'), (_, tone?: string) =>
        tone === undefined ? `:${name}:` : `:${name}::skin-tone-${(tone.codePointAt(0) ?? 0) - firstTone + 2}:`,
      ),
    typed,
  )

/** The text of a message event for what a person typed. */
export function wireText(typed: string): string {
  let done = ''
  let from = 0
  for (const { 0: token, index } of typed.matchAll(tokens)) {
    done += escapeText(namedEmoji(typed.slice(from, index))) + token
    from = index + token.length
  }
  return done + escapeText(namedEmoji(typed.slice(from)))
}

function tokenElement(token: string): Json {
  const [target = '', label] = token.slice(1, -1).split('|')
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) }
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) }
  if (target.startsWith('!subteam^')) return { type: 'usergroup', usergroup_id: target.slice(9) }
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) }
  return { type: 'link', url: target, ...(label !== undefined && { text: label }) }
}

/** Texts and emoji. Only those that Slack itself has are characters. */
function plainElements(wire: string): Json[] {
  const found: Json[] = []
  let from = 0
  const plain = (text: string) => text !== '' && found.push({ type: 'text', text: unescapeText(text) })
  for (const { 0: token, 1: name, 2: tone, index } of wire.matchAll(emojiNames)) {
    const known = emoji.find((one) => one.name === name)
    if (known === undefined) continue
    plain(wire.slice(from, index))
    const codes = [known.character.codePointAt(0) ?? 0, ...(tone === undefined ? [] : [firstTone + Number(tone) - 2])]
    const unicode = codes.map((code) => code.toString(16)).join('-')
    found.push({ type: 'emoji', name, unicode, ...(tone !== undefined && { skin_tone: Number(tone) }) })
    from = index + token.length
  }
  plain(wire.slice(from))
  return found
}

function inline(wire: string): Json[] {
  const found: Json[] = []
  let from = 0
  const plain = (text: string) => found.push(...plainElements(text))
  for (const { 0: token, index } of wire.matchAll(tokens)) {
    plain(wire.slice(from, index))
    found.push(tokenElement(token))
    from = index + token.length
  }
  plain(wire.slice(from))
  return found
}

/** The rich_text block that Slack makes of a text on the wire. */
export function richTextOf(wire: string, blockId: string): Block {
  const elements = wire.split(/```\n?/).flatMap((piece, place) => {
    if (piece === '') return []
    return place % 2 === 1
      ? [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: unescapeText(piece) }] }]
      : [{ type: 'rich_text_section', elements: inline(piece) }]
  })
  return { type: 'rich_text', block_id: blockId, elements }
}

/** Text in a task card's format. */
export const plainRichText = (text: string): Json => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
})

function plainElement(element: Json): string {
  switch (element.type) {
    case 'user':
      return `<@${stringAt(element, 'user_id')}>`
    case 'channel':
      return `<#${stringAt(element, 'channel_id')}>`
    case 'usergroup':
      return `<!subteam^${stringAt(element, 'usergroup_id')}>`
    case 'broadcast':
      return `<!${stringAt(element, 'range')}>`
    case 'emoji':
      return `:${stringAt(element, 'name')}:`
    case 'link':
      return stringAt(element, 'text') || stringAt(element, 'url')
    case 'date':
      return stringAt(element, 'fallback')
    default:
      return stringAt(element, 'text')
  }
}

/** The text as people read it. */
export function plainOf(block: Json): string {
  const parts = listAt(block, 'elements').map((part) => {
    const inner = listAt(part, 'elements')
    if (part.type === 'rich_text_list') {
      return inner
        .map((one, place) => {
          const mark = part.style === 'ordered' ? `${place + 1}.` : '•'
          return `${mark} ${listAt(one, 'elements').map(plainElement).join('')}`
        })
        .join('\n')
    }
    return inner.map(plainElement).join('')
  })
  return parts.join('\n')
}
