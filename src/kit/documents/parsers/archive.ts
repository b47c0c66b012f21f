import { gunzipSync } from 'node:zlib'
import { documentKindOf } from '../../files/document-kind.ts'
import { headBytes } from '../../files/type.ts'
import type { ParsedDocument } from '../document.ts'
import {
  damaged,
  endMissing,
  notReadable,
  type ParseInner,
  type ParseLimits,
  type Parser,
  Parts,
  tooComplex,
} from '../parse.ts'
import { openZip } from '../zip.ts'
import { listTar, type TarListing } from './archive/tar.ts'
import { howToRead, readInside } from './inside.ts'

/** The most lines of a listing; the rest is counted. */
const maxLines = 1000

/**
 * Lists what is in it, and reads the files of zip, tar and gzip. Throws `not_readable` for archives that only other
 * programs open.
 */
export const parseArchive: Parser = async (file, limits, parseInner) => {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)
  // A tar begins with the name of its first file, which may be PKGBUILD.
  if (documentKindOf(file.name, bytes.subarray(0, headBytes)) === 'zip') return listZip(bytes, limits, parseInner)
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return listGzip(file.name, bytes, limits, parseInner)
  const tar = listTar(bytes, maxLines)
  if (tar !== undefined) return members('Tar archive', tarMembers(tar), limits, parseInner)
  throw notReadable(nameOf(bytes), 'Ask for it as .zip, or for the files that are in it.')
}

const others = new Map([
  ['BZh', 'a bzip2 archive'],
  ['\xfd7z', 'an xz archive'],
  ['7z\xbc', 'a 7z archive'],
  ['Rar', 'a RAR archive'],
  ['(\xb5/', 'a Zstandard archive'],
])

const nameOf = (bytes: Buffer): string => others.get(bytes.toString('latin1', 0, 3)) ?? 'an archive of an unknown kind'

interface Listed {
  name: string
  size: number
  isEncrypted?: boolean
  /** Why it wasn't read. */
  why?: string
}

interface Member extends Listed {
  /** Undefined if there is nothing to read, such as behind a link. */
  read?: (() => Promise<Uint8Array>) | undefined
}

interface Members {
  list: Member[]
  /** The number of files beyond those. */
  more: number
  isWhole: boolean
}

async function listZip(
  bytes: Buffer,
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<ParsedDocument> {
  const zip = await openZip(bytes, limits)
  const list = zip.entries.slice(0, maxLines).map((entry): Member => {
    return entry.isEncrypted ? entry : { ...entry, read: () => zip.read(entry.name) }
  })
  const more = Math.max(0, zip.entries.length - maxLines)
  return members('Zip archive', { list, more, isWhole: zip.notes.length === 0 }, limits, parseInner)
}

const tarMembers = ({ entries, more, isWhole }: TarListing): Members => ({
  list: entries.map(({ name, size, content }) => ({ name, size, read: content && (async () => content) })),
  more,
  isWhole,
})

/** The files as a list, and those that can be read as parts of their own. */
async function members(
  what: string,
  { list, more, isWhole }: Members,
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<ParsedDocument> {
  const readable = list.flatMap(({ name, size, read }) => (read === undefined ? [] : [{ name, size, read }]))
  const inside = await readInside(readable, limits, parseInner)
  let next = 0
  const lines = list.map(({ read, ...entry }): Listed => {
    const why = read === undefined ? undefined : inside.outcomes[next++]?.why
    return why === undefined ? entry : { ...entry, why }
  })
  const { notes, parts } = listed(what, lines, more, isWhole)
  const kept = new Parts(limits)
  for (const [index, part] of [...parts, ...inside.parts].entries())
    if (!kept.add({ ...part, number: index + 1 })) break
  const count = inside.outcomes.filter(({ isRead }) => isRead).length
  const about = count === 0 ? notes : [(notes[0] ?? '').replace(onlyListed, readNote(count)), ...notes.slice(1)]
  return { kind: 'archive', notes: [...about, ...inside.notes, ...kept.notes()], parts: kept.list }
}

const onlyListed = 'It is only listed: nothing in it is read.'

const readNote = (count: number): string =>
  `${count === 1 ? '1 of them is' : `${count.toLocaleString('en')} of them are`} read too, ${howToRead}`

async function listGzip(
  name: string,
  bytes: Buffer,
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<ParsedDocument> {
  const inner = unpacked(bytes, limits)
  const tar = listTar(inner, maxLines)
  if (tar !== undefined) return members('Tar archive, packed by gzip', tarMembers(tar), limits, parseInner)
  const innerName = name.replace(/^.*[/\\]/, '').replace(/\.(gz|gzip)$/i, '') || 'unnamed'
  const list = [{ name: innerName, size: inner.length, read: async () => inner }]
  return members('File packed by gzip', { list, more: 0, isWhole: true }, limits, parseInner)
}

function unpacked(bytes: Buffer, limits: ParseLimits): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.unpackedBytes })
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooComplex(`unpacked, it has more than ${limits.unpackedBytes} bytes`)
    throw damaged('it isn’t a complete archive', thrown)
  }
}

function listed(what: string, entries: Listed[], more: number, isWhole: boolean): ParsedDocument {
  const encrypted = entries.filter(({ isEncrypted }) => isEncrypted).length
  const total = entries.length + more
  const lines = entries.map(
    ({ name, size, isEncrypted, why }) =>
      `- ${shown(name)} (${bytesText(size)}${isEncrypted ? ', encrypted' : ''})${why === undefined ? '' : `: not read, ${why}`}`,
  )
  if (more > 0) lines.push(`… and ${more.toLocaleString('en')} more`)
  const notes = [
    `${what} with ${total.toLocaleString('en')} ${total === 1 ? 'file' : 'files'}. ${onlyListed}`,
    encrypted > 0 ? protectedNote(encrypted) : '',
    isWhole ? '' : endMissing,
  ]
  return {
    kind: 'archive',
    notes: notes.filter(Boolean),
    parts: [{ unit: 'section', number: 1, text: lines.join('\n') }],
  }
}

const protectedNote = (count: number): string =>
  `${count.toLocaleString('en')} of its files ${count === 1 ? 'is' : 'are'} protected by a password, and can’t be opened here even with it: ask for a copy without one.`

const bytesText = (size: number): string => `${size.toLocaleString('en')} ${size === 1 ? 'byte' : 'bytes'}`

/** Invisible characters, and those that change the direction of text, are written out; very long names are cut. */
const shown = (name: string): string => {
  const cut = name.length > 300 ? `${name.slice(0, 300).toWellFormed()}…` : name
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
