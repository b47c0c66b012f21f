import { domainToUnicode } from 'node:url'
import { typeByName, unknownType } from '../files/type.ts'
import { webAddress } from './port.ts'

/** What may stand behind an address. What follows # is never sent. */
const end = /^\/?(?:$|[\s"'<>)\]}|`,;#，。；：！？、）】》」』”’…]|[.!?:*]+(?:\s|$))/

/** Whether an address is in a text letter by letter, and isn't just the beginning of a longer one. */
export function hasAddress(text: string, address: string): boolean {
  const rests = text.split(withoutSlash(address)).slice(1)
  return rests.some((rest) => end.test(rest))
}

/** Words that may be an address: whatever a blank, a bracket or a quotation mark is in front of. */
const words =
  /(?<![^\s"'`*<([{|，。；：！？、（【《「『“‘…])[\p{L}\p{N}][^\s"`<>，。；：！？、（）【】《》「」『』“”‘’…]*/gu

/**
 * Whether people who wrote this text meant an address: in capital letters, with characters that are sent encoded, or
 * without https:// or http:// in front. It must be the same address, to the last letter of its path.
 */
export function namesAddress(text: string, address: string): boolean {
  if (hasAddress(text, address)) return true
  const hosts = hostsOf(address)
  const wanted = withoutSlash(address)
  const { protocol } = new URL(address)
  for (const [word] of text.matchAll(words)) {
    const hasHost = (part: string) => hosts.some((host) => part.toLowerCase().includes(host))
    if (!hasHost(word)) continue
    const parts = partsOf(word).filter(hasHost).flatMap(withoutMarks)
    if (parts.some((one) => withoutSlash(hrefOf(one, protocol) ?? '') === wanted)) return true
  }
  return false
}

/** How people may write the host of an address, in lower case. */
export function hostsOf(address: string): string[] {
  const { hostname } = new URL(address)
  return [...new Set([hostname, domainToUnicode(hostname)])].filter((host) => host !== '')
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '')

/** What may be part of an address or separate it from the rest of a word. Some scripts are written without blanks. */
const separators = [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}—]+/u, /\]\(/, /'s\b|,/]

function partsOf(word: string): string[] {
  let parts = [word]
  for (const separator of separators) parts = parts.flatMap((part) => [part, ...part.split(separator)])
  // As in `words`: what is behind a slash or an @ goes on with something else.
  return [...new Set(parts)].filter((part) => /^[\p{L}\p{N}]/u.test(part))
}

/** A word, and what it is without the marks at its end: they may belong to the sentence. */
function withoutMarks(word: string): string[] {
  const marks = /[.,;:!?'*_~|)\]}]{0,4}$/.exec(word)?.[0].length ?? 0
  return Array.from({ length: marks + 1 }, (_, count) => word.slice(0, word.length - count))
}

function hrefOf(word: string, protocol: string): string | undefined {
  const isFull = /^https?:\/\//i.test(word)
  try {
    const { href, hostname } = webAddress(isFull ? word : `${protocol}//${word}`)
    // `notes.md` is a file, and a word without a dot is just a word.
    return isFull || (hostname.includes('.') && typeByName(hostname) === unknownType) ? href : undefined
  } catch {
    return undefined
  }
}
