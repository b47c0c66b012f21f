import { isPlaceholderInUrl } from './context.ts'
import { matchesIn } from './matches.ts'
import { isPassword, isRandom } from './placeholder.ts'
import { privateKeyKind } from './private-keys.ts'
import { isPlainly } from './prose.ts'
import type { SecretSpan } from './span.ts'

// A value stands behind a space or an option, so that it is an argument, and nothing in it can end its command.
const word = '([^\\s"\'`;&|<>(){}$\\\\\\u0080-\\uffff]{6,256})'
const option = new RegExp(
  `(?<=[ \\t])-(u[ =]?|[a-zA-Z]{1,6}u[ ]|-(?:proxy-)?user[ =]|-pass(?:word)?[ =]|p[ \\t]{0,4}|a[ \\t]{0,4})(?:'([^\\s'\\u0080-\\uffff]{6,256})(?=')|["']?${word})`,
  'g',
)
/** Otherwise the shell adds something to the value: it may be only the beginning of a secret, or none at all. */
const ending = /^(?:["'`\s;&|<>)}]|\\["'nrt\s]|$)/
const reach = 240
/** What stands between a program and its option, also on the next line. */
const others = '(?:\\\\\\r?\\n|"[^"\\r\\n]*"|\'[^\'\\r\\n]*\'|[^\\r\\n|;&"\'\\\\])*$'

interface Rule {
  option: RegExp
  before: RegExp
  isSecret: (value: string, user: string, isWhole: boolean) => boolean
}

/** Beside a user, it can be nothing else, as in an address. Without one, it may be a word of a sentence. */
const isArgument = (value: string, user: string, isWhole: boolean): boolean =>
  isPassword(value) ||
  (isWhole &&
    value.length >= 4 &&
    (user !== '' || /\d/.test(value)) &&
    !isAddress(user === '' ? value : `${user}:${value}`) &&
    !isPlaceholderInUrl(user, value))

const isAddress = (text: string): boolean =>
  /^[\w-]+(?:\.[\w-]+)*\.(?:\d+|[a-z]{2,4}|local|internal):\d{1,5}$|^[a-z]+:\/\//i.test(text)

/** Which programs take a password without a name beside it. */
const rules: Rule[] = [
  { option: /u[ =]?$|r[ =]$/, before: new RegExp(`\\bcurl(?![^ ])${others}`), isSecret: isArgument },
  { option: /^p/, before: /\bsshpass[ \t]{1,4}$/, isSecret: isArgument },
  {
    option: /^p$/,
    // With `run` in front of it, it is an image.
    before: new RegExp(
      `\\b(?<!(?:run|pull|install)[ \\t].{0,80})(?:mysql|mysqldump|mysqladmin|mariadb)(?![^ ])${others}`,
    ),
    isSecret: isPlainly,
  },
  {
    option: /^p|^-password/,
    before: new RegExp(`\\b(?:docker|podman|helm[ \\t]{1,4}registry)[ \\t]{1,4}login(?![^ ])${others}`),
    isSecret: isArgument,
  },
  { option: /^a|^-pass[ =]/, before: new RegExp(`\\bredis-cli(?![^ ])${others}`), isSecret: isArgument },
  { option: /^-password/, before: new RegExp(`\\bwget(?![^ ])${others}`), isSecret: isArgument },
]

/** Passwords in commands, `curl -u ana:…`, and keys in JSON. */
export function commandSecrets(text: string): SecretSpan[] {
  const spans = webKeys(text)
  for (const { 0: found, 1: name = '', 2: quoted, 3: bare = '', index } of matchesIn(text, option)) {
    const argument = quoted ?? bare
    const before = text.slice(Math.max(0, index - reach), index)
    // `curl` takes a user, too.
    const behind = /^(?:[pa]|-pass)/.test(name) ? 0 : argument.indexOf(':') + 1 || argument.length
    const value = argument.slice(behind)
    const user = argument.slice(0, Math.max(0, behind - 1))
    const end = index + found.length
    const isWhole = ending.test(text.slice(end, end + 2))
    const is = (rule: Rule) => rule.option.test(name) && rule.before.test(before) && rule.isSecret(value, user, isWhole)
    if (rules.some(is)) spans.push({ start: end - value.length, end, kind: 'a password', weight: 0 })
  }
  return spans
}

const privateMember = /"d"\s?:\s?"([A-Za-z0-9_-]{40,1024})"/g
const keyReach = 2000

/** The private member of a JSON Web Key. */
const webKeys = (text: string): SecretSpan[] =>
  [...matchesIn(text, privateMember)].flatMap(({ 0: found, 1: value = '', index }) => {
    const end = index + found.length - 1
    const around = text.slice(Math.max(0, index - keyReach), end + keyReach)
    const isKey = around.includes('"kty"') && isRandom(value, 40)
    return isKey ? [{ start: end - value.length, end, kind: privateKeyKind, weight: 0 as const }] : []
  })
