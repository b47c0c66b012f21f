import { textOfUtf16 } from '../text/utf16.ts'
import { damaged } from './parse.ts'

export interface OleFile {
  /** Names of all streams and folders, wherever they are. */
  names: Set<string>
  /** Those outside of folders: an embedded document has the same names in one. */
  outer: Set<string>
  /** A stream outside of folders, by its name in any case. Undefined if there is none. */
  read(name: string): Buffer | undefined
}

interface Entry {
  name: string
  type: number
  start: number
  size: number
}

const smallSector = 64

const lastSector = 0xfffffffa

/**
 * The directory of an OLE container. All chains of sectors are followed once, so that a library that follows them
 * without counting can't run in circles. Throws `damaged`.
 */
export function openOle(bytes: Buffer): OleFile {
  if (bytes.length < 512) throw damaged('its beginning is cut')
  const sectorBytes = 2 ** bytes.readUInt16LE(30)
  if (sectorBytes !== 512 && sectorBytes !== 4096) throw damaged('its sectors have an odd size')
  const table = tableOf(allocationTable(bytes, sectorBytes))
  const directory = join(bytes, sectorBytes, chain(table, bytes.readUInt32LE(48)))
  const smallTable = tableOf(numbers(join(bytes, sectorBytes, chain(table, bytes.readUInt32LE(60)))))
  const smallest = bytes.readUInt32LE(56)
  const entries: Entry[] = []
  const children: number[][] = []
  const isSmall = ({ type, size }: Entry): boolean => type === 2 && size < smallest
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const entry = entryAt(directory, at)
    entries.push(entry)
    children.push([68, 72, 76].map((field) => directory.readInt32LE(at + field)))
    if (entry.name !== '' && entry.type !== 1 && entry.size > 0) chain(isSmall(entry) ? smallTable : table, entry.start)
  }
  checkTree(children)
  const names = new Set(entries.map(({ name }) => name))
  const beneath = beside(children, children[0]?.[2] ?? -1).flatMap((index) => entries[index] ?? [])
  const outer = new Set(beneath.map(({ name }) => name))
  const sectorsOf = ({ start }: Entry): Buffer => join(bytes, sectorBytes, chain(tableOf(table.next), start))
  return {
    names,
    outer: outer.size > 0 ? outer : names,
    read(name) {
      const sought = name.toLowerCase()
      const entry = (outer.size > 0 ? beneath : entries).find(
        (one) => one.name.toLowerCase() === sought && one.type === 2,
      )
      const [root] = entries
      if (entry === undefined || root === undefined) return undefined
      if (!isSmall(entry)) return sectorsOf(entry).subarray(0, entry.size)
      const small = sectorsOf(root)
      const sectors = chain(tableOf(smallTable.next), entry.start)
      const pieces = sectors.map((sector) => small.subarray(sector * smallSector, (sector + 1) * smallSector))
      return Buffer.concat(pieces).subarray(0, entry.size)
    },
  }
}

/** Without a name if it isn't in use. */
function entryAt(directory: Buffer, at: number): Entry {
  const type = directory[at + 66] ?? 0
  const isUsed = type === 1 || type === 2 || type === 5
  const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
  return {
    name: isUsed ? textOfUtf16(directory.subarray(at, at + Math.max(0, nameBytes - 2))) : '',
    type,
    start: directory.readUInt32LE(at + 116),
    size: directory.readUInt32LE(at + 120),
  }
}

/** An entry and those to its left and right; the third of its links leads into it. The tree has been checked. */
function beside(children: number[][], first: number): number[] {
  const found: number[] = []
  for (let level = [first]; level.length > 0; ) {
    level = level.filter((entry) => entry >= 0)
    found.push(...level)
    level = level.flatMap((entry) => children[entry]?.slice(0, 2) ?? [])
  }
  return found
}

/**
 * Which sector follows which. Where that is stored is written in the header and, for large files, in sectors of its
 * own.
 */
function allocationTable(bytes: Buffer, sectorBytes: number): number[] {
  const most = Math.ceil(bytes.length / sectorBytes)
  const places: number[] = []
  for (let at = 76; at < 512; at += 4) places.push(bytes.readUInt32LE(at))
  let next = bytes.readUInt32LE(68)
  for (let count = 0; next < lastSector && next > 0 && count <= most; count++) {
    const sector = numbers(sectorOf(bytes, sectorBytes, next))
    next = sector.pop() ?? lastSector
    for (const place of sector) places.push(place)
  }
  const used = places.filter((place) => place < lastSector)
  if (used.length > most) throw damaged('it names more sectors than it has')
  return used.flatMap((place) => numbers(sectorOf(bytes, sectorBytes, place)))
}

/** All chains together are no longer than their table; some writers are careless, so there is some slack. */
interface Table {
  next: number[]
  steps: number
}

const tableOf = (next: number[]): Table => ({ next, steps: 4 * next.length + 1000 })

function chain(table: Table, start: number): number[] {
  const sectors: number[] = []
  for (let sector = start; sector < lastSector; sector = table.next[sector] ?? lastSector) {
    sectors.push(sector)
    if (sectors.length > table.next.length + 1 || table.steps-- < 0) throw damaged('its parts run in circles')
  }
  return sectors
}

function sectorOf(bytes: Buffer, sectorBytes: number, sector: number): Buffer {
  const start = (sector + 1) * sectorBytes
  if (start >= bytes.length) throw damaged('its end is missing')
  return bytes.subarray(start, start + sectorBytes)
}

const join = (bytes: Buffer, sectorBytes: number, sectors: number[]): Buffer =>
  Buffer.concat(sectors.map((sector) => sectorOf(bytes, sectorBytes, sector)))

const numbers = (sector: Buffer): number[] =>
  Array.from({ length: Math.floor(sector.length / 4) }, (_, index) => sector.readUInt32LE(index * 4))

/** Each entry has at most one parent, and none is too deep for a recursive walk. */
function checkTree(children: number[][]): void {
  const seen = new Set<number>([0])
  let level = [0]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 1000) throw damaged('its directory is too deep')
    level = level.flatMap((entry) => children[entry] ?? []).filter((entry) => entry >= 0)
    for (const entry of level) {
      if (seen.has(entry) || entry >= children.length) throw damaged('its directory runs in circles')
      seen.add(entry)
    }
  }
}
