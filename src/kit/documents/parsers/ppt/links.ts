import { textOfUtf16 } from '../../../text/utf16.ts'
import { isSame } from '../docx/inline.ts'
import { allWithin, first, type Rec, recordsIn, types } from './records.ts'

/** Addresses of links, by the number that texts use. */
export type Links = ReadonlyMap<number, string>

/** A linked stretch of text, in characters, and where it leads. */
export interface TextLink {
  from: number
  end: number
  address: string
}

const addressInstance = 1
const mostLinks = 10_000
const longest = 500

export function linksIn(document: Buffer): Links {
  const links = new Map<number, string>()
  for (const { body } of allWithin(document, types.hyperlink).slice(0, mostLinks)) {
    const number = first(body, types.hyperlinkAtom)?.body
    const address = recordsIn(body).find((one) => one.type === types.cString && one.instance === addressInstance)
    if (number === undefined || number.length < 4 || address === undefined) continue
    links.set(number.readUInt32LE(0), textOfUtf16(address.body).trim().slice(0, longest))
  }
  return links
}

/** Undefined if it leads nowhere outside. `info` says where, `range` which stretch of the text. */
export function textLink(info: Rec, range: Rec, links: Links): TextLink | undefined {
  const target = first(info.body, types.interactiveAtom)?.body
  if (target === undefined || target.length < 8 || range.body.length < 8) return undefined
  const address = links.get(target.readUInt32LE(4)) ?? ''
  return address === '' ? undefined : { from: range.body.readUInt32LE(0), end: range.body.readUInt32LE(4), address }
}

/** The paragraph that begins at `start`, with addresses behind what they are linked to. */
export function withAddresses(paragraph: string, start: number, links: readonly TextLink[]): string {
  let text = ''
  let done = 0
  for (const { from, end, address } of links) {
    const at = end - start
    if (at <= done) continue
    const words = paragraph.slice(done, at)
    const linked = paragraph.slice(Math.max(0, from - start), at).trim()
    text += isSame(linked, address) ? words : `${words.trimEnd()} (${address})`
    done = at
  }
  return text + paragraph.slice(done)
}
