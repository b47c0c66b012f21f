import type { Inside } from './inside.ts'
import { programIn } from './programs.ts'
import { type Family, familyOf, familyWords, promisedBy } from './promised.ts'
import { extensionOf, isText, unknownType } from './type.ts'

/** A file that has arrived. `name` is its sender's, `type` its real one, `head` its beginning. */
export interface Seen {
  name: string
  type: string
  head: Uint8Array
  inside: Inside | undefined
}

/**
 * What people should know before they open a file: that it is a program, or isn't what its name says. Completes a
 * sentence (`it is a program for Windows …`), without the full stop; undefined if there is nothing to say.
 */
export function noticeOn(seen: Seen): string | undefined {
  const name = plain(seen.name)
  const facts = [onContent({ ...seen, name }), onName(seen.name)].filter((fact) => fact !== undefined)
  return facts.length === 0 ? undefined : facts.join('; ')
}

function onContent(seen: Seen): string | undefined {
  const { name, type, head, inside } = seen
  if (head.length === 0) return undefined
  const promised = promisedBy(name)
  const program = programIn(name, type, head, inside)
  if (program !== undefined) {
    const mask = promised ?? hiddenPromise(name)
    const isHonest = mask === undefined || (program.isReadable && mask === 'text')
    // Programs of this kind come inside an archive.
    if (isHonest || (promised === 'archive' && familyOf(type) === 'archive')) {
      return `it is ${program.words}: it is only stored, and nothing here runs it`
    }
    return `it is ${program.words} named like ${familyWords[mask]}: don’t open it`
  }
  return onMacros(seen, promised) ?? onMismatch(seen, promised)
}

const macroNames = /^(doc|dot|xls|xlt|ppt|pot|pps)m$|^(doc|dot|xls|xlt|xla|ppt|pot|pps|xlsb|xlam|ppam)$/

function onMacros({ name, type, inside }: Seen, promised: Family | undefined): string | undefined {
  const family = familyOf(type)
  if (!inside?.hasMacros || family === undefined) return undefined
  const words = `it is ${familyWords[family]} with macros, which are small programs`
  if (macroNames.test(extensionOf(name)) && promised === family) return `${words}: don’t enable them`
  const mask = promised === undefined || promised === family ? 'one without' : familyWords[promised]
  return `${words}, named like ${mask}: don’t open it`
}

function onMismatch({ type, head }: Seen, promised: Family | undefined): string | undefined {
  if (promised === undefined) return undefined
  const is = familyOf(type)
  if (is === promised) return undefined
  const like = familyWords[promised]
  // There are more formats of recordings than are known here.
  const isForeign = type === unknownType && promised !== 'recording'
  if (is === undefined) return isForeign ? `it isn’t ${like}, despite its name` : undefined
  const words = is === 'text' && isPage(head) ? 'a web page (HTML)' : familyWords[is]
  return `it is ${words} named like ${like}`
}

const isPage = (head: Uint8Array): boolean =>
  isText(head) &&
  /^\s{0,64}<(!doctype html|html|head|meta|table|body|style)/i.test(Buffer.from(head.subarray(0, 256)).toString('utf8'))

/** `report.pdf.exe` looks like `report.pdf` where extensions are hidden. */
function hiddenPromise(name: string): Family | undefined {
  const stem = name.slice(0, name.lastIndexOf('.')).replace(/[\s._]{1,200}$/, '')
  const family = promisedBy(stem)
  return family === 'archive' || (family === 'text' && !/\.(txt|csv)$/i.test(stem)) ? undefined : family
}

const turning = /[\u202a-\u202e\u2066-\u2069]/
const blanks = /[\s\u115f\u1160\u2800\u3164\uffa0]{4}/

function onName(name: string): string | undefined {
  if (turning.test(name)) return 'its name has hidden characters that change the order in which it is shown'
  return blanks.test(name) ? 'its name contains many spaces, which can hide its extension' : undefined
}

/** Without invisible characters and whatever else isn't part of the extension. */
const plain = (name: string): string => name.replace(/[\p{Cc}\p{Cf}]/gu, '').replace(/[\s.]{1,200}$/, '')
