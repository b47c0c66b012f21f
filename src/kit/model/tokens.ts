import type { ModelMessage, ToolDefinition } from './model.ts'

const cjk =
  /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g

/** Above these shares of Chinese, Japanese and Korean characters, a token has this many characters (C2). */
const charactersPerToken = [
  { share: 0.3, characters: 2 },
  { share: 0.1, characters: 3 },
] as const
const usual = 4

/** Numbers and what stands between them are cut into small pieces. Above this share of digits, a token has 2 characters. */
const digits = { share: 0.3, characters: 2 }

/** About how many tokens a text has. A provider's own count of a whole request says by how much this is off. */
export function tokensIn(text: string): number {
  // One pass, because a long thread is counted anew at each step.
  let numerals = 0
  let isAscii = true
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code >= 48 && code <= 57) numerals++
    else if (code > 127) isAscii = false
  }
  const share = isAscii ? 0 : (text.match(cjk)?.length ?? 0) / text.length
  const foreign = charactersPerToken.find((step) => share > step.share)?.characters ?? usual
  const characters = foreign === usual && numerals > text.length * digits.share ? digits.characters : foreign
  return Math.ceil(text.length / characters)
}

/** Roles and separators cost a few tokens for each message. */
export const tokensPerMessage = 4

/** At most so many tokens of the context are reserved for the reply (C2). */
export const outputReserve = 8_192

/** What a large image costs, whatever its bytes; providers scale it down in different ways. */
export const tokensPerImage = 1_600

export function tokensOfMessage(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? message.calls : []
  const images = message.role === 'user' ? (message.images?.length ?? 0) : 0
  const asked = calls.reduce((sum, call) => sum + tokensIn(call.name) + tokensIn(call.arguments), 0)
  return tokensPerMessage + tokensIn(message.content) + asked + images * tokensPerImage
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
