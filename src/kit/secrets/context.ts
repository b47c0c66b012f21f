import { matchesIn } from './matches.ts'
import { isDefaultPassword, isPasswordWord, isPlaceholder, isRandom } from './placeholder.ts'
import { randomness } from './randomness.ts'
import type { SecretSpan } from './span.ts'
import { Tries } from './tries.ts'

export const urlKind = 'a password in a URL'
export const headerKind = 'a credential in a header'
export const loginKind = 'a password with its user'

const userInfo = /([^\s/?#@:"'<>`\\\u0080-\uffff]{0,128}):([^\s/?#"'<>`\\\u0080-\uffff]{4,256})@[A-Za-z0-9_[.-]/y

/** Passwords in addresses: `scheme://user:password@host`. */
export function urlPasswords(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    if (!/[A-Za-z0-9]/.test(text.charAt(at - 1))) continue
    userInfo.lastIndex = at + 3
    const found = userInfo.exec(text)
    const [, user = '', password] = found ?? []
    if (password === undefined || isPlaceholderInUrl(user, password)) continue
    const end = userInfo.lastIndex - 2
    spans.push({ start: end - password.length, end, kind: urlKind, weight: 0 })
  }
  return spans
}

/** Beside these there is no password: what follows is a port, or a token that is known by its form. */
const noUser = /^(?:anonymous|x-token-auth|localhost|\d{1,3}(?:\.\d{1,3}){3})$/i
const noPassword = /^(?:x+|\*+|\.+|%s|x-oauth-basic|[<[{$%].*)$/i

/** A short password counts too, except for obvious placeholders and well-known defaults. */
export const isPlaceholderInUrl = (user: string, password: string): boolean =>
  isPasswordWord(password) ||
  isDefaultPassword(password) ||
  user.toLowerCase() === password.toLowerCase() ||
  noUser.test(user) ||
  noPassword.test(password) ||
  (password.length > 8 && isPlaceholder(password) && !/^[!@#&]/.test(password))

const named =
  /authorization\\?["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?(?:(bearer|basic|bot|digest|hawk|oauth|ntlm|negotiate|signature|aws4-hmac-sha256|ssws|splunk|jwt|[a-z-]{0,24}(?:key|token))[ \t]{1,4})?/gi
const bearer = /\bbearer[ \t]{1,4}/gi
const credential = /(?:(?:\d{1,9}|Atz[ar])\|)?[A-Za-z0-9._~+/=:-]{6,4096}/y

const anyHeader = /authorization|bearer|cookie/i

/** The credentials of `Authorization` and `Cookie` headers, and of a `Bearer` wherever it stands. */
export const headers = (text: string): SecretSpan[] =>
  anyHeader.test(text) ? [...authorizations(text), ...cookies(text)] : []

function authorizations(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  const take = (tries: Tries, at: number, isSecret: (value: string) => boolean): void => {
    if (!tries.allows(at)) return
    const value = credentialAt(text, at)
    tries.tried(at, at + value.length)
    if (isSecret(value)) spans.push({ start: at, end: at + value.length, kind: headerKind, weight: 0 })
  }
  const namedTries = new Tries()
  for (const { 0: found, 1: scheme, index } of matchesIn(text, named)) {
    const isBasic = scheme?.toLowerCase() === 'basic'
    const least = scheme === undefined ? 16 : 10
    take(namedTries, index + found.length, (value) =>
      isBasic
        ? isUserAndPassword(value)
        : isRandom(value, least) && ((scheme !== undefined && !/^jwt$/i.test(scheme)) || randomness(value) > 0),
    )
  }
  const bearerTries = new Tries()
  for (const { 0: found, index } of matchesIn(text, bearer)) {
    take(bearerTries, index + found.length, (value) => isRandom(value, 20))
  }
  return spans
}

const cookie = /\bcookie\\?["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\?["'`]?(?=[\w.-]{1,64}=)/gi
const cookieLength = 8192
const pair = /([\w.-]{1,64})=([A-Za-z0-9%._~+/:-]{20,4096})/g
const ofSession = /sess|(?:^|[._-])sid$|auth|token|jwt/i

/** Cookies that let somebody in, as `Cookie` and `Set-Cookie` have them. */
function cookies(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let end = 0
  for (const { 0: found, index } of matchesIn(text, cookie)) {
    const from = index + found.length
    if (from < end) continue
    const line = /^[^\r\n"'`]*/.exec(text.slice(from, from + cookieLength))?.[0] ?? ''
    end = from + line.length
    for (const { 0: whole, 1: name = '', 2: value = '', index: at } of matchesIn(line, pair)) {
      if (!ofSession.test(name) || /[cx]srf/i.test(name) || !isRandom(value, 20) || randomness(value) <= 0) continue
      const start = from + at + whole.length - value.length
      spans.push({ start, end: start + value.length, kind: headerKind, weight: 0 })
    }
  }
  return spans
}

function credentialAt(text: string, at: number): string {
  credential.lastIndex = at
  return credential.exec(text)?.[0] ?? ''
}

const login = /\\?"auth\\?"\s{0,8}:\s{0,8}\\?"|(?<![A-Za-z])_auth[ \t]{0,8}=[ \t]{0,8}"?/g
const encoded = /[A-Za-z0-9+/]{8,4096}={0,2}/y

/** What Docker and npm keep in their files: a user with a password, in Base64. */
export function logins(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const { 0: found, index } of matchesIn(text, login)) {
    encoded.lastIndex = index + found.length
    const value = encoded.exec(text)?.[0] ?? ''
    if (!userAndPassword.test(decoded(value)) || !isUserAndPassword(value)) continue
    spans.push({ start: index + found.length, end: encoded.lastIndex, kind: loginKind, weight: 0 })
  }
  return spans
}

const userAndPassword = /^([\x20-\x39\x3b-\x7e]*):([\x20-\x7e]+)$/
const decoded = (value: string): string => Buffer.from(value, 'base64').toString('latin1')

/** What `Basic` encodes, unless it is a placeholder, as in an address. */
function isUserAndPassword(value: string): boolean {
  const [, user, password] = userAndPassword.exec(decoded(value)) ?? []
  // A password outside ASCII can't be decoded here, but it is still one.
  if (user === undefined || password === undefined) return isRandom(value, 10)
  return !isPlaceholderInUrl(user, password)
}
