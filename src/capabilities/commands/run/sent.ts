import { type Option, readOptions } from '../../../kit/shell/options.ts'
import type { Invocation } from '../../../kit/shell/plan-types.ts'
import { literal } from '../../../kit/shell/shell-word.ts'

/** A whole name stands before a longer one that it would be short for. */
const ofCurl =
  '--data --data-urlencode --url --url-query --variable --upload-file --cookie --etag-compare --netrc-file'.split(' ')

const senders = new Map([
  ['curl', { short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz', long: ofCurl }],
  ['wget', { short: 'aeoOtTUBiPQwlADIRX', long: ['--input-file', '--post-file', '--body-file', '--load-cookies'] }],
])

/** Options whose value is a file that is sent, or the addresses that are asked. */
const filed: Record<string, RegExp> = {
  curl: /^(?:-T|--upload-file|--etag-compare|--netrc-file)$/,
  wget: /^(?:-i|--input-file|--post-file|--body-file|--load-cookies)$/,
}

/** `name@file` */
const named = /^--(?:data-urlencode|url-query|variable|expand-.*)$/

/**
 * What of other files, or of its input, a command sends over the network: the same command sends something else once
 * they change.
 */
export function sentBy({ program, args }: Invocation): string[] {
  const rules = senders.get(program)
  if (rules === undefined) return []
  if (args.includes(undefined)) return [`what ${program} sends isn’t known before it runs`]
  const words = args.flatMap((arg) => (arg === undefined ? [] : [arg]))
  const read = readOptions(words.map(literal), { ...rules, mixed: true })
  const files = [
    ...read.options.flatMap((option) => fileIn(program, option)),
    ...(program === 'curl' ? words.flatMap(attached) : []),
  ]
  return [...new Set(files)].map(
    (file) => `what ${program} sends from ${file === '-' ? 'its input' : file} isn’t shown`,
  )
}

function fileIn(program: string, { name, value }: Option): string[] {
  const text = value?.value
  if (text === undefined) return []
  if (filed[program]?.test(name)) return [text]
  if (program !== 'curl') return []
  if (/^(?:-b|--cookie)$/.test(name) && !text.includes('=')) return [text]
  const [, file] = named.test(name) ? (/^[^=@]*@(.+)$/s.exec(text) ?? []) : []
  return file === undefined ? [] : [file]
}

/** `-d @file`, `-d@file`, `-F name=@file`, `-F name=<file` */
const attached = (word: string): string[] => {
  const [, file] = /^(?![a-z]+:\/\/)(?:-\w+|[^@]*=)?(?:@|(?<==)<)(.+)$/is.exec(word) ?? []
  return file === undefined ? [] : [file]
}
