import { matchesIn } from './matches.ts'
import { isLabel, isPassword, isRandom, isScrambled } from './placeholder.ts'
import { passwordNames, saidAt } from './prose.ts'
import { isPublicToken } from './public-names.ts'
import { randomness } from './randomness.ts'
import type { SecretSpan } from './span.ts'
import { Tries } from './tries.ts'

export const assignmentKinds = ['a password', 'a key', 'a token', 'a secret']

/** Of keys for one purpose. Other things are called so as well, so the value has to be long and random. */
const purpose =
  '(?:private|signing|encryption|auth|master|account|subscription|application|app|admin|service|fernet|jwt|hmac|aes|pre-?shared|consumer|sdk|cosmos|openai|mistral|gemini)'
const name = new RegExp(`${passwordNames}|(?<![a-z])(?:pass|pwd)|secret|token|credential|key|(?<=_)pat(?==)`, 'gi')
/** Which keys are secret, up to the word `key`. */
const keyName = new RegExp(
  `(?:(?:api|access)[ _-]?|(?:private|signing|encryption|auth|master|account)[_-]?|(?<![a-z])${purpose}[ _-]?)key$`,
  'i',
)
const longestKeyName = 24
const weak = new RegExp(`^(?:${purpose}[ _-]?key|pat)$`, 'i')
const sure = /^(?:private|signing|encryption|auth|master|account)[_-]?key$/i
/**
 * What may stand between the word and the sign: the rest of the name, quotes, the type. A `token_url` isn't a token. Or
 * the sign is a colon and the name is bold or slanted, with or without it.
 */
const rest =
  /(?:[_-]?(?:access)?[_-]?key(?:[_-]?base)?|[_-]?value)?(?:[_-](?:prod(?:uction)?|dev(?:elopment)?|test|staging|live|main|default|private|b64|base64|\d{1,2})|\d)?(?:\\?["'`]\]?)?(?:[ \t]{0,8}:[ \t]{0,4}[sS]tring(?=[ \t]{0,8}=))?(?:((?:\*{1,3}|__?)[ \t]{0,24}:|:(?:\*{1,3}|__?)(?=[ \t]))[ \t]{0,24}|[ \t]{0,24}(?:=>|:=|={1,3}|[:：])[ \t]{0,24}|>|(?:,\s{0,12}|\s{0,8}\n\s{0,12}|(?<=["'])[ \t])\\?["']?value\\?["']?[ \t]{0,4}[:=][ \t]{0,4}|[ \t]?\{\s{1,12}default[ \t]{0,8}=[ \t]{0,4})/iy
/** `--password value`, `ENV API_KEY value`: as an argument of a command. */
const option = / {1,2}(?=[^\s-])/y
const beforeOption = /(?:--[A-Za-z-]{0,24}|\b(?:ENV|set -g?x) [A-Z0-9_]{0,16})$/
const quotedValue = /(\\?["'`])([^\s"'`\u0080-\uffff]{5,8192}?)\1/y
/** Bold or slanted, and perhaps as code within. With other signs around it, it is a plain value. */
const stressedValue = /(\*{1,3})(?!\*)(["'`]?)([^\s"'`\u0080-\uffff]{5,128}?)\2\1/y
/** In bold, these are the names of a test's result, and of where a key is. */
const neverStressed = /^(?:pass$|(?!api|access).*key$)/i
/** Laravel's tokens and Amazon's have a beginning that ends with `|`. */
const plainValue = /(?:(?:\d{1,9}|Atz[ar])\|)?[^\s"'`\\,;&|<>(){}[\]\u0080-\uffff]{5,8192}/y
const lineValue = /[^\s"'`\u0080-\uffff]{5,8192}/y
/** After a plain value, these show that it is code: a call, an index, a template. */
const code = /^[([{`]/

/** Values that their name calls a secret: `DB_PASSWORD=…`, `"apiKey": "…"`, `secret: …`. */
export function assignments(text: string, tries = new Tries()): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const { word, index } of namesIn(text)) {
    const from = valueStart(text, index, word)
    if (from === undefined) spans.push(...saidBehind(text, index, word))
    if (from === undefined || !tries.allows(from)) continue
    const found = valueAt(text, from, index, word)
    if (found === undefined) continue
    const start = from + found.offset
    const end = start + found.value.length
    tries.tried(from, end)
    if (found.isCode) continue
    const isPublic = isInArn(text, index) || (/^token$/i.test(word) && isPublicToken(text, index, found.value))
    // A boarding pass, or a test's name, as Go and Automake print it: `--- PASS: TestHTTP2Server`.
    const isResult =
      !found.quoted && /(?:^|\n|--- )PASS: $|boarding pass: $/.test(text.slice(Math.max(0, index - 9), from))
    if (!isPublic && !isResult && isSecret(found, word)) spans.push({ start, end, kind: kindOf(word), weight: 0 })
  }
  return spans
}

function* namesIn(text: string): Iterable<{ word: string; index: number }> {
  for (const { 0: word, index } of matchesIn(text, name)) {
    const end = index + word.length
    const whole = /^key$/i.test(word) ? keyName.exec(text.slice(Math.max(0, end - longestKeyName), end))?.[0] : word
    if (whole !== undefined) yield { word: whole, index: end - whole.length }
  }
}

/** `the password is …` */
function saidBehind(text: string, index: number, word: string): SecretSpan[] {
  const { start = 0, value = '' } = saidAt(text, index + word.length) ?? {}
  const least = isPasswordName(word) ? 8 : 16
  if (value.length < least || weak.test(word) || uuid.test(value)) return []
  if (/^token$/i.test(word) && isPublicToken(text, index, value)) return []
  return [{ start, end: start + value.length, kind: kindOf(word), weight: 0 }]
}

function valueStart(text: string, index: number, word: string): number | undefined {
  const end = index + word.length
  // The first pass, and how long it took.
  if (/^pass$/i.test(word) && /\d/.test(text.charAt(end))) return undefined
  rest.lastIndex = end
  const found = rest.exec(text)
  if (found !== null) return found[1] !== undefined && neverStressed.test(word) ? undefined : rest.lastIndex
  option.lastIndex = end
  return option.test(text) &&
    (beforeOption.test(text.slice(Math.max(0, index - 30), index)) || isLogin(text, index, word))
    ? option.lastIndex
    : undefined
}

/** As in `.netrc`: `login ana password …`. */
const isLogin = (text: string, index: number, word: string): boolean =>
  word === 'password' && /\blogin[ \t]{1,8}[^\s;&|]{1,99}\s{1,8}$/.test(text.slice(Math.max(0, index - 120), index))

/** `arn:aws:secretsmanager:eu-west-1:123456789012:secret:name`: a secret's name, not its value. */
const isInArn = (text: string, index: number): boolean =>
  /arn:[a-z0-9:-]{1,80}:$/.test(text.slice(Math.max(0, index - 90), index))

interface Value {
  value: string
  offset: number
  quoted: boolean
  isCode?: boolean
}

function valueAt(text: string, from: number, index: number, word: string): Value | undefined {
  quotedValue.lastIndex = from
  const [, quote, inner] = quotedValue.exec(text) ?? []
  if (quote !== undefined && inner !== undefined) return { value: inner, offset: quote.length, quoted: true }
  const [cut, , inside] = cutValue(text, from) ?? []
  if (cut !== undefined && inside !== undefined)
    return { value: inside, offset: cut.length - inside.length, quoted: true }
  const isWholeLine = isLineOfEnvironment(text, from, index)
  stressedValue.lastIndex = from
  const [, sign, mark, stressed] = (isWholeLine || neverStressed.test(word) ? null : stressedValue.exec(text)) ?? []
  if (sign !== undefined && mark !== undefined && stressed !== undefined)
    return { value: stressed, offset: sign.length + mark.length, quoted: mark !== '' }
  const sticky = isWholeLine ? lineValue : plainValue
  sticky.lastIndex = from
  const value = sticky.exec(text)?.[0].replace(/[.:!?]{1,8}$/, '')
  if (value === undefined) return undefined
  return { value, offset: 0, quoted: false, isCode: code.test(text.charAt(sticky.lastIndex)) }
}

/** The text or the line ends before the closing quote. */
const unclosed = /(\\?["'`])([^\s"'`\u0080-\uffff]{5,8192})(?=[\r\n]|$)/y

function cutValue(text: string, from: number): RegExpExecArray | null {
  unclosed.lastIndex = from
  return unclosed.exec(text)
}

/** `NAME=` as in the environment, and not in a URL's query: the value reaches to the next space. */
const isLineOfEnvironment = (text: string, from: number, index: number): boolean =>
  /^[A-Z0-9_]+=$/.test(text.slice(index, from)) &&
  !/[?&][A-Z0-9_]{0,60}$/.test(text.slice(Math.max(0, index - 61), index))

function isSecret({ value, quoted }: Value, word: string): boolean {
  if (isPasswordName(word)) return isPassword(value) && (quoted || !member.test(value) || !isIdentifier(value))
  if (!isRandom(value, 12) || isLabel(value) || path.test(value) || new Set(value).size < 8) return false
  if (weak.test(word) && !sure.test(word) && !isKey(value.replace(/^base64:/, ''))) return false
  if (/^sign/i.test(word) && keyId.test(value)) return false
  return quoted || isScrambled(value) || !isIdentifier(value)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isKey = (value: string): boolean =>
  /^[A-Za-z0-9+/_-]{20,512}={0,2}$/.test(value) &&
  !uuid.test(value) &&
  (/^[0-9a-f]{32,}$/.test(value) || randomness(value) > 5)

const path = /^[a-z]{3,20}\/[\w-]{1,12}$/
/** Who signed with OpenPGP: an id or a fingerprint. */
const keyId = /^(?:0x)?(?:[0-9A-F]{16}|[0-9A-F]{40})$/

/** Without quotes it may be an expression: names joined by dots, each with one number at most. */
const isIdentifier = (value: string): boolean => value.split(/\W+/).every((part) => !/\d{5}|\d\D+\d/.test(part))
const member = /^[A-Za-z_$][\w$]*(?:(?:!?\.|\?\.|->|::)#?[A-Za-z_$][\w$]*)+$/
const passwordName = new RegExp(`^(?:${passwordNames}|pass|pwd)`, 'i')
const isPasswordName = (word: string): boolean => passwordName.test(word)

function kindOf(word: string): string {
  if (isPasswordName(word)) return 'a password'
  if (/key$/i.test(word)) return 'a key'
  return /token|^pat$/i.test(word) ? 'a token' : 'a secret'
}
