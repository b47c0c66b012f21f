import { Automaton } from './automaton.ts'
import { isName, isPlaceholder, isSequence } from './placeholder.ts'
import type { SecretSpan } from './span.ts'

export interface OwnSecret {
  name: string
  value: string
  /** Tells it from others' of the same name. Not shown. */
  whose?: string
}

/** Shorter values occur in ordinary texts, and their encodings in anything. */
const leastLength = 12

/** A percent sign before each byte triples the length: fine for keys and tokens, not for whole files. */
const maxPercent = 512

export interface OwnFinder {
  find(text: string): SecretSpan[]
  /** Where one of the bot's own values may have begun at the end of the text; the length of the text if none has. */
  begun(text: string): number
}

export const ownKind = ({ name }: OwnSecret): string => `the bot’s own ${name.replace(/[[\]]/g, '')}`

/**
 * Whether a value can be masked without harm to ordinary texts. `ollama`, `none` and `sk-xxxxxxxxxxxx` can't, and
 * neither can a word or a few short words in a row: they aren't secrets.
 */
export function isWorthMasking(value: string): boolean {
  const text = value.trim()
  if (text.length < leastLength || new Set(text).size < 6 || isSequence(text)) return false
  return !isName(text) || (text.length >= 20 && !isPlaceholder(text))
}

/** Names and addresses occur in ordinary texts, even if a value begins with them: its secret part comes later. */
const isMostOfOne = (beginning: string, whole: string): boolean =>
  beginning.length * 2 >= whole.length && isWorthMasking(beginning) && !isName(beginning)

/** Looks for the values in their common encodings. Those not worth masking are left out. */
export function createOwnFinder(own: OwnSecret[]): OwnFinder {
  const known = own.filter(({ value }) => isWorthMasking(value))
  const forms = known.flatMap((secret) =>
    formsOf(secret.value.trim()).map((form) => ({ kind: ownKind(secret), ...form })),
  )
  const automaton = new Automaton(
    forms.map(({ text }) => text),
    isMostOfOne,
  )

  return {
    find: (text) =>
      automaton.scan(text).matches.flatMap(({ needle, start, end }) => {
        const form = forms[needle]
        if (form === undefined) return []
        // The characters at both ends mix bits of the secret with those of its neighbours.
        const first = form.mixedStart && isBase64(text.charAt(start - 1)) ? start - 1 : start
        const last = form.mixedEnd && isBase64(text.charAt(end)) ? end + 1 : end
        return [{ start: first, end: last, kind: form.kind, weight: 2 as const }]
      }),
    begun(text) {
      const { begun } = automaton.scan(text)
      return begun < text.length && isBase64(text.charAt(begun - 1)) ? begun - 1 : begun
    },
  }
}

interface Form {
  text: string
  mixedStart: boolean
  mixedEnd: boolean
}

/** The value as it is, reversed, quoted for JSON and HTML, and in percent signs, hexadecimal and Base64. */
function formsOf(value: string): Form[] {
  const bytes = Buffer.from(value)
  const json = quoted(value)
  const hex = bytes.toString('hex')
  const percent = encodeURIComponent(value.toWellFormed())
  const everyByte = value.length <= maxPercent ? hex.replace(/../g, '%$&') : percent
  const plain = [
    value,
    [...value].reverse().join(''),
    json,
    quoted(json),
    json.replaceAll('/', '\\/'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...[percent, everyByte].flatMap((text) => [text, lowerEscapes(text), upperEscapes(text)]),
    percent.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
  ]
  const forms = plain.map((text) => ({ text, mixedStart: false, mixedEnd: false }))
  const unique = new Map([...forms, ...base64Forms(bytes)].map((form) => [form.text, form]))
  return [...unique.values()].filter(({ text }) => text.length >= leastLength)
}

const quoted = (value: string): string => JSON.stringify(value).slice(1, -1)
const lowerEscapes = (text: string): string => text.replace(/%../g, (found) => found.toLowerCase())
const upperEscapes = (text: string): string => text.replace(/%../g, (found) => found.toUpperCase())

/** The part that is the same wherever the bytes start within a longer text: at any of three positions in a group. */
function base64Forms(bytes: Buffer): Form[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const mixedStart = before > 0
    const mixedEnd = (before + bytes.length) % 3 !== 0
    const text = whole.slice(mixedStart ? before + 1 : 0, mixedEnd ? -1 : undefined)
    const safe = text.replaceAll('+', '-').replaceAll('/', '_')
    return [text, safe].map((form) => ({ text: form, mixedStart, mixedEnd }))
  })
}

const isBase64 = (character: string): boolean => /^[A-Za-z0-9+/_-]$/.test(character)
