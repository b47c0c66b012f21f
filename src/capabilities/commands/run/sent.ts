import type { Invocation } from '../../../kit/shell/plan-types.ts'

// Every word is looked at as if it were an option, because an option's value that looks like one can hide others. So a
// file may be named that isn't sent, but none that is stays unnamed. Letters with a value end a bundle.

/** Options whose value is a file that is sent, or the addresses that are asked. */
const filed = new Map([
  ['curl', /^(?:-[^-AbcCdDeEFHKmoPQrtuUwxXyYz]*T|--(?:up|etag-c|netrc-f)[a-z-]*(?:=|$))(.*)$/s],
  ['wget', /^(?:-[^-aeoOtTUBPQwlADIRX]*i|--(?:in|post-f|body-f|loa)[a-z-]*(?:=|$))(.*)$/s],
])

/** A file, or `name=value`. */
const cookie = /^(?:-[^-AcCdDeEFHKmoPQrtTuUwxXyYzb]*b|--coo\w*(?:=|$))(.*)$/s

/** `name@file` */
const named = /^--(?:data-u|url-q|va|expand-)[a-z-]*(?:=|$)(.*)$/s

/** `@file`, `-d@file`, `--data=@file` */
const attached = /^(?:-[^-AbcCdDeEFHKmoPQrtTuUwxXyYz]*[a-zA-Z]|--[^=]*=)?@(.+)$/s

/** Only with these, `name=@file` and `name=<file` mean a file. */
const form = /^(?:-[^-]*F|--fo)/

/**
 * What of other files, or of its input, a command sends over the network: the same command sends something else once
 * they change.
 */
export function sentBy({ program, args }: Invocation): string[] {
  const option = filed.get(program)
  if (option === undefined) return []
  // What is computed gets no lasting grant anyway.
  const words = args.map((arg) => arg ?? '')
  const files = [...valuesOf(option, words), ...(program === 'curl' ? ofCurl(words) : [])].filter((file) => file !== '')
  return [...new Set(files)].map(
    (file) => `what ${program} sends from ${file === '-' ? 'its input' : file} isn’t shown`,
  )
}

/** The values of an option, which may be glued to it. */
const valuesOf = (option: RegExp, words: string[]): string[] =>
  words.flatMap(
    (word, at) =>
      option
        .exec(word)
        ?.slice(1)
        .map((glued) => glued || (words[at + 1] ?? '')) ?? [],
  )

function ofCurl(words: string[]): string[] {
  const behind = (pattern: RegExp) => (word: string) => pattern.exec(word)?.slice(1) ?? []
  // An address may hold `=@`, but the word behind the option is a field.
  const isField = (word: string, at: number) => form.test(words[at - 1] ?? '') || !/^[a-z]+:\/\//i.test(word)
  const fields = words.some((word) => form.test(word)) ? words.filter(isField) : []
  return [
    ...words.flatMap(behind(attached)),
    ...fields.flatMap(behind(/=[@<](.+)$/s)),
    ...valuesOf(named, words).flatMap(behind(/^[^=@]*@(.+)$/s)),
    ...valuesOf(cookie, words).filter((value) => !value.includes('=')),
  ]
}
