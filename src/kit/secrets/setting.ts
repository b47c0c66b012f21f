import { unescape as decoded } from 'node:querystring'
import { isLabel, isName } from './placeholder.ts'

/** What is called this is a secret. */
const isSecretName = (name: string): boolean => /key|token|secret|pass|pwd|cred|auth/i.test(name)

/** Of an option or a parameter, whose last word says what it is: `--api-key`, but not `--auth-timeout`. */
export const isSecretOption = (name: string): boolean =>
  !/^-*no-/i.test(name) && /(key|token|secret|pass(word|wd|phrase)?|pwd|cred(ential)?s?|auth(orization)?)$/i.test(name)

/** Not `production`, a path or an address, nor the name of a project, a model or a host: `acme-analytics-284719`. */
const isKey = (value: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w+=.-]{20,}$/i.test(value) && !isLabel(value)

/** What a value for a program has to keep secret: all of it if it is a key, and of an address the keys in it. */
export const secretsOf = (name: string, value: string): string[] => [
  ...(isSecretName(name) || isKey(value) ? [value] : []),
  ...secretsInAddress(value),
]

/** The secrets among values for programs, with the names of the values. */
export const secretsAmong = (values: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(values).flatMap(([name, value]) => secretsOf(name, value).map((one) => ({ name, value: one })))

/** Its password, and what its path and parameters have that is neither a word nor a version. */
export function secretsInAddress(text: string): string[] {
  const url = text.includes('://') ? URL.parse(text) : null
  if (url === null) return []
  const { username, password, pathname, searchParams } = url
  const unnamed = [username, ...pathname.split('/')].map((part) => ['', decoded(part)] as const)
  return [...unnamed, ['password', decoded(password)] as const, ...searchParams].flatMap(([name, part]) =>
    part !== '' && (isSecretOption(name) || (isKey(part) && !isName(part))) ? [part] : [],
  )
}
