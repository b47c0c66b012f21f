import { gunzipSync } from 'node:zlib'
import type { ParsedDocument } from '../document.ts'
import { damaged, notReadable, type ParseInner, type ParseLimits, type Parser, Parts, tooComplex } from '../parse.ts'
import { openZip } from '../zip.ts'
import { listTar } from './archive/tar.ts'
import { howToRead, readInside } from './inside.ts'

/** The most lines of a listing; the rest is counted. */
const maxLines = 1000

/** Lists what is in it, and reads the files of a zip. Throws `not_readable` for archives that only other programs open. */
export const parseArchive: Parser = async (file, limits, parseInner) => {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return listZip(bytes, limits, parseInner)
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return listGzip(file.name, bytes, limits)
  const tar = listTar(bytes, maxLines)
  if (tar !== undefined) return listed('Tar archive', tar.entries, tar.more, tar.isWhole)
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

async function listZip(
  bytes: Buffer,
  limits: ParseLimits,
  parseInner: ParseInner | undefined,
): Promise<ParsedDocument> {
  const zip = await openZip(bytes, limits)
  const entries = zip.entries.slice(0, maxLines)
  const readable = entries.filter(({ isEncrypted }) => !isEncrypted)
  const inside = await readInside(
    readable.map(({ name, size }) => ({ name, size, read: () => zip.read(name) })),
    limits,
    parseInner,
  )
  const outcomes = new Map(readable.map((entry, index) => [entry, inside.outcomes[index]]))
  const list = entries.map((entry): Listed => {
    const why = outcomes.get(entry)?.why
    return why === undefined ? entry : { ...entry, why }
  })
  const { notes, parts } = listed(
    'Zip archive',
    list,
    Math.max(0, zip.entries.length - maxLines),
    zip.notes.length === 0,
  )
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

function listGzip(name: string, bytes: Buffer, limits: ParseLimits): ParsedDocument {
  const inner = unpacked(bytes, limits)
  const tar = listTar(inner, maxLines)
  if (tar !== undefined) return listed('Tar archive, packed by gzip', tar.entries, tar.more, tar.isWhole)
  const innerName = name.replace(/^.*[/\\]/, '').replace(/\.(gz|gzip)$/i, '')
  return listed('File packed by gzip', [{ name: innerName || 'unnamed', size: inner.length }], 0, true)
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
    encrypted > 0 ? `${encrypted.toLocaleString('en')} of its files need a password.` : '',
    isWhole ? '' : 'It ends in the middle: what follows is missing.',
  ]
  return {
    kind: 'archive',
    notes: notes.filter(Boolean),
    parts: [{ unit: 'section', number: 1, text: lines.join('\n') }],
  }
}

const bytesText = (size: number): string => `${size.toLocaleString('en')} ${size === 1 ? 'byte' : 'bytes'}`

/** Invisible characters, and those that change the direction of text, are written out; very long names are cut. */
const shown = (name: string): string => {
  const cut = name.length > 300 ? `${name.slice(0, 300).toWellFormed()}…` : name
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
