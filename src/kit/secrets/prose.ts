import { matchesIn } from './matches.ts'
import { isLabel, isName, isPassword } from './placeholder.ts'
import { randomness } from './randomness.ts'
import type { SecretSpan } from './span.ts'

/** What people call a password in the languages that they write to a bot in. */
export const passwordNames =
  'pass(?:word|wort|wd|phrase|code)|kennwort|mot de passe|contrase(?:ñ|n)a|(?<![a-z])senha|пароль|密[码碼]|口令|パスワード|비밀번호'
const keyNames = '(?:api|access|secret|auth)[ -](?:key|token)|api-?schlüssel|api ?密[钥鑰]'

/** `is`, or a colon behind what it is for: `(prod):`, `for the database:`. Or the value is code. */
const label = new RegExp(
  `(?:(${passwordNames})|${keyNames}|(?<![a-z])token(?=[ ]\`))` +
    '(?:[ ](?:is|ist|lautet|est|es|é)[ ]?:?[ ]|[ ]?(?:是|为|為|は)[ ]?|' +
    '[ ](?:\\([\\w ./-]{1,32}\\)|(?:for|of|für|von|pour|de|para)(?:[ ][\\w.-]{1,24}){1,3})[ ]?[:：][ ]?|[ ](?=`))',
  'gi',
)
const value = /(["'`]|\*{1,2})?([^\s"'`\\;&|<>(){}[\]$\u0080-\uffff]{8,256})/y

/** What a sentence says to be a password or a key: `the password for staging is …`. */
export function prose(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const { 0: found, 1: password, index } of matchesIn(text, label)) {
    value.lastIndex = index + found.length
    const [, mark = '', whole = ''] = value.exec(text) ?? []
    const said = whole.replace(/[.,:!?*]{1,8}$/, '')
    const isSecret = password === undefined ? said.length >= 16 && isPlainly(said) : isPlainly(said)
    if (!isSecret) continue
    const start = index + found.length + mark.length
    spans.push({ start, end: start + said.length, kind: password === undefined ? 'a key' : 'a password', weight: 0 })
  }
  return spans
}

const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!#%*+=?@^~_-]/]

/** Whatever is called a secret beside it, this can hardly be anything else: no name, no version, no path. */
export const isPlainly = (text: string): boolean =>
  isPassword(text) &&
  classes.filter((one) => one.test(text)).length >= 3 &&
  randomness(text) > 0 &&
  !isName(text) &&
  !isLabel(text) &&
  !/[/\\]|^[a-z]+:|\.[a-z]{1,5}$/i.test(text)
