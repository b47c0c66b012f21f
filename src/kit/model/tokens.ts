import type { ModelCall, ModelMessage, ModelRequest, ToolDefinition } from './model.ts'

/**
 * Tokens of a character that isn't ASCII, by the high byte of its code, in o200k_base (see
 * docs/decisions/010-context.md).
 */
const ofScripts: readonly [first: number, last: number, tokens: number][] = [
  [0x00, 0x02, 0.3], // Latin with marks
  [0x03, 0x03, 0.52], // Greek
  [0x04, 0x04, 0.36], // Cyrillic
  [0x05, 0x0d, 0.42], // Hebrew, Arabic, and the scripts of India
  [0x0e, 0x0e, 0.35], // Thai
  [0x1e, 0x1e, 0.5], // Vietnamese
  [0x30, 0x30, 0.72], // Japanese
  [0x31, 0x4d, 1],
  [0x4e, 0x9f, 0.78], // Chinese
  [0xac, 0xd7, 0.8], // Korean
  [0xd8, 0xdf, 0.8], // half an emoji
  [0xf9, 0xff, 1],
]
const usual = { foreign: 0.5, ascii: 0.25 }

const weights = Float64Array.from(
  { length: 256 },
  (_, block) => ofScripts.find(([first, last]) => block >= first && block <= last)?.[2] ?? usual.foreign,
)

/** Numbers are cut into small pieces. Above this share of digits, an ASCII character has this many tokens. */
const digits = { share: 0.3, tokens: 0.57 }

const space = 32

/** About how many tokens a text has. A provider's own count of a whole request says by how much this is off. */
export function tokensIn(text: string): number {
  let foreign = 0
  let ascii = 0
  let numbers = 0
  let isForeign = false
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code >= 128) foreign += weights[code >> 8] ?? usual.foreign
    // A space belongs to the word beside it.
    else if (code !== space || !isForeign) ascii++
    if (code >= 48 && code <= 57) numbers++
    isForeign = code >= 128
  }
  return Math.ceil(foreign + ascii * (numbers > ascii * digits.share ? digits.tokens : usual.ascii))
}

/** In mixed text, a token has about this many characters: for an estimate where a text isn't counted. */
export const charactersPerToken = 3

/** For what may cost money: so that it probably costs less than was reserved. */
export const cautiousCharactersPerToken = 2

/** A token has at least this many, except in scripts that few people use. */
export const leastCharactersPerToken = 1

/** More than this in a token is hardly ever seen. */
export const mostCharactersPerToken = 8

/** Roles and separators cost a few tokens for each message. */
export const tokensPerMessage = 4

/** At most this many tokens of the context are reserved for the reply. */
export const outputReserve = 8_192

/** What a large image costs, whatever its bytes; providers scale it down in different ways. */
export const tokensPerImage = 1_600

/** What goes back to a model of what it sent along with its calls. */
export const tokensAlong = ({ thought = '', calls }: { thought?: string; calls: Pick<ModelCall, 'extra'>[] }): number =>
  calls.reduce((sum, { extra }) => sum + (extra ? tokensIn(JSON.stringify(extra)) : 0), tokensIn(thought))

export function tokensOfMessage(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? message.calls : []
  const along = message.role === 'assistant' ? tokensAlong(message) : 0
  const images = message.role === 'user' ? (message.images?.length ?? 0) : 0
  const asked = calls.reduce((sum, call) => sum + tokensIn(call.name) + tokensIn(call.arguments), 0)
  return tokensPerMessage + tokensIn(message.content) + along + asked + images * tokensPerImage
}

/** Counted once for each definition, because that takes longer than the rest of a request. */
const counted = new WeakMap<ToolDefinition, number>()

export function tokensOfTools(definitions: readonly ToolDefinition[]): number {
  let sum = 0
  for (const definition of definitions) {
    const tokens = counted.get(definition) ?? tokensIn(JSON.stringify(definition))
    counted.set(definition, tokens)
    sum += tokens
  }
  return sum
}

export const tokensOfRequest = ({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number =>
  tokensOfTools(tools) + messages.reduce((sum, message) => sum + tokensOfMessage(message), 0)
