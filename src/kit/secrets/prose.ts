import { isLabel, isName, isPassword } from './placeholder.ts'
import { randomness } from './randomness.ts'

/** What a password is called, in nine languages. */
export const passwordNames =
  'pass(?:word|wort|wd|phrase|code)|kennwort|mot de passe|contrase(?:ñ|n)a|(?<![a-z])senha|пароль|密[码碼]|口令|パスワード|비밀번호'

const forWhat = '[ ](?:\\([\\w ./-]{1,32}\\)|(?:for|of|für|von|pour|de|para)(?:[ ][\\w.-]{1,24}){1,3})'
const is = '(?:[ ](?:is|ist|lautet|est|es|é)[ ]?:?[ ]|[ ]?(?:是|为|為|は)[ ]?)'
/** Behind the name: `is`, or a colon behind what it is for. No backtick: in a command, what follows it would run. */
const sentence = new RegExp(
  `(?:[ -](?:key|token))?(?:(?:${forWhat})?${is}|${forWhat}[ ]?[:：][ ]?)(?:["']|\\*{1,2})?`,
  'iy',
)
const value = /[^\s"'`\\;&|<>(){}[\]$\u0080-\uffff]{8,256}/y

/** What a sentence says to be a password or a key, whose name ends at `from`: `the password for staging is …`. */
export function saidAt(text: string, from: number): { start: number; value: string } | undefined {
  sentence.lastIndex = from
  if (!sentence.test(text)) return undefined
  const start = sentence.lastIndex
  value.lastIndex = start
  const said = value.exec(text)?.[0].replace(/[.,:!?*]{1,8}$/, '')
  return said === undefined || !isPlainly(said) ? undefined : { start, value: said }
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
