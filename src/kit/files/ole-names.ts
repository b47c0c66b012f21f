import { textOfUtf16 } from '../text/utf16.ts'
import { type FileBytes, viewOf } from './file-bytes.ts'

/** How many sectors of the directory are read: with sectors of 512 bytes, 512 names. */
const mostSectors = 128
/** The class of a Windows installer package, as its root entry has it. */
const installer = '84100c0000000000c000000000000046'

/** Names in the directory of an OLE container, the format of old Office files. */
export interface OleNames {
  names: string[]
  isInstaller: boolean
}

/** Never throws, whatever the file says: the list ends where it can't be followed. */
export async function oleNames(file: FileBytes): Promise<OleNames> {
  const header = viewOf(await file.range(0, 512))
  const found: OleNames = { names: [], isInstaller: false }
  if (header.length < 512) return found
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return found
  const sectorBytes = 2 ** shift
  const sectorAt = async (sector: number): Promise<Buffer> =>
    viewOf(await file.range((sector + 1) * sectorBytes, sectorBytes))

  const table = new Map<number, Buffer>()
  async function next(sector: number): Promise<number> {
    const part = Math.floor(sector / (sectorBytes / 4))
    if (part >= 109) return endOfChain
    const bytes = table.get(part) ?? (await sectorAt(header.readUInt32LE(76 + part * 4)))
    table.set(part, bytes)
    const at = (sector % (sectorBytes / 4)) * 4
    return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : endOfChain
  }

  let sector = header.readUInt32LE(48)
  for (let count = 0; sector < endOfChain && count < mostSectors; count++) {
    const bytes = await sectorAt(sector)
    if (bytes.length === 0) break
    readEntries(bytes, found)
    sector = await next(sector)
  }
  return found
}

/** This number and those above aren't sectors. */
const endOfChain = 0xfffffffa

function readEntries(bytes: Buffer, found: OleNames): void {
  for (let at = 0; at + 128 <= bytes.length; at += 128) {
    const length = bytes.readUInt16LE(at + 64)
    if (length < 2 || length > 64) continue
    found.names.push(textOfUtf16(bytes.subarray(at, at + length - 2)))
    const isRoot = bytes[at + 66] === 5
    if (isRoot && bytes.toString('hex', at + 80, at + 96) === installer) found.isInstaller = true
  }
}
