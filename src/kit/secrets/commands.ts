import { matchesIn } from './matches.ts'
import { isPassword, isRandom } from './placeholder.ts'
import { privateKeyKind } from './private-keys.ts'
import { isPlainly } from './prose.ts'
import type { SecretSpan } from './span.ts'

// Nothing in a value can end a command or begin another one.
const word = '([^\\s"\'`;&|<>(){}$\\\\\\u0080-\\uffff]{6,256})'
const options = '\\b[^\\r\\n|;&]{0,200}?[ \\t]'

/** Where programs and their files take a password without a name beside it. */
const rules: [pattern: RegExp, kind: string, isSecret: (value: string) => boolean][] = [
  [
    new RegExp(`\\bcurl${options}(?:-u|--user|--proxy-user)[ =]?["']?[^\\s:"']{1,64}:${word}`, 'g'),
    'a password',
    isPassword,
  ],
  [new RegExp(`\\bsshpass[ \\t]{1,4}-p[ \\t]?["']?${word}`, 'g'), 'a password', isPassword],
  [new RegExp(`\\b(?:mysql|mysqldump|mysqladmin|mariadb)${options}-p["']?${word}`, 'g'), 'a password', isPlainly],
  [new RegExp(`\\bredis-cli${options}-a[ \\t]{1,4}["']?${word}`, 'g'), 'a password', isPassword],
  [
    new RegExp(`\\b(?:docker|podman)[ \\t]{1,4}login${options}-p[ \\t]{1,4}["']?${word}`, 'g'),
    'a password',
    isPassword,
  ],
  [
    new RegExp(`\\blogin\\s{1,8}\\S{1,128}\\s{1,8}password\\s{1,8}${word}`, 'g'),
    'a password',
    (value) => isRandom(value, 8),
  ],
  [
    new RegExp(
      `(?:ENV|set -g?x)[ \\t]{1,4}[A-Z0-9_]{0,64}(?:(?:API|ACCESS|SECRET)_KEY|TOKEN|SECRET|PASSWORD)[ \\t]{1,4}["']?${word}`,
      'g',
    ),
    'a secret',
    (value) => isRandom(value, 12),
  ],
]

/** Passwords in commands and in files of programs: `curl -u ana:…`, `.netrc`. */
export const commandSecrets = (text: string): SecretSpan[] => [
  ...rules.flatMap(([pattern, kind, isSecret]) =>
    [...matchesIn(text, pattern)].flatMap(({ 0: found, 1: value = '', index }) => {
      const end = index + found.lastIndexOf(value) + value.length
      return isSecret(value) ? [{ start: end - value.length, end, kind, weight: 0 as const }] : []
    }),
  ),
  ...webKeys(text),
]

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
