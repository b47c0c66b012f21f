import { deflateRawSync } from 'node:zlib'
import type { Parser } from '../../../src/kit/documents/parse.ts'

export const limits = { textCharacters: 1_000_000, parts: 100, unpackedBytes: 10_000_000, archiveEntries: 5000 }

export const parse = (parser: Parser, bytes: Uint8Array, name = 'a', password?: string) =>
  parser({ name, bytes, ...(password === undefined ? {} : { password }) }, limits)

interface TarFile {
  name: string
  content: string | Uint8Array
  size?: number
  type?: string
  /** Its content begins with another header, which isn't part of its size. */
  goesOn?: boolean
}

/** A tar archive; a size of its own may lie about what follows, and type "2" is a link. */
export function tar(files: TarFile[]): Buffer {
  const blocks = files.flatMap(({ name, content, size, type = '0', goesOn = false }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write((size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0'), 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar', 257)
    header[482] = goesOn ? 1 : 0
    const sum = header.reduce((sum, byte) => sum + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
    Buffer.from(content).copy(body)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** A zip archive whose one entry is marked as encrypted. */
export function encryptedZip(name: string): Buffer {
  const data = deflateRawSync(Buffer.from('content'))
  const fields = (signature: number, middle: number[]) => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(signature)
    return Buffer.concat([head, Buffer.from(Uint16Array.from(middle).buffer)])
  }
  const common = [20, 1, 8, 0, 0, 0, 0, data.length, 0, 7, 0, name.length, 0]
  const local = Buffer.concat([fields(0x04034b50, common), Buffer.from(name), data])
  const central = Buffer.concat([fields(0x02014b50, [20, ...common, 0, 0, 0, 0, 0, 0, 0]), Buffer.from(name)])
  const end = fields(0x06054b50, [0, 0, 1, 1, central.length, 0, local.length, 0, 0])
  return Buffer.concat([local, central, end])
}

/** An OLE container with one stream of that name; `next` is what its sectors say follows them. */
export function ole(stream: string, next = 0xfffffffe): Buffer {
  const bytes = Buffer.alloc(512 * 12)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(1, 44)
  bytes.writeUInt32LE(1, 48)
  bytes.writeUInt32LE(4096, 56)
  for (const at of [60, 68]) bytes.writeUInt32LE(0xfffffffe, at)
  for (let at = 76; at < 512; at += 4) bytes.writeUInt32LE(at === 76 ? 0 : 0xffffffff, at)
  for (let sector = 0; sector < 128; sector++) bytes.writeUInt32LE(sector < 2 ? 0xfffffffe : next, 512 + sector * 4)
  const entry = (index: number, name: string, type: number, child: number) => {
    const at = 1024 + index * 128
    bytes.write(name, at, 'utf16le')
    bytes.writeUInt16LE(name.length * 2 + 2, at + 64)
    bytes.writeUInt8(type, at + 66)
    bytes.writeInt32LE(-1, at + 68)
    bytes.writeInt32LE(-1, at + 72)
    bytes.writeInt32LE(child, at + 76)
    bytes.writeUInt32LE(type === 5 ? 0xfffffffe : 2, at + 116)
    bytes.writeUInt32LE(type === 5 ? 0 : 4608, at + 120)
  }
  entry(0, 'Root Entry', 5, 1)
  entry(1, stream, 2, -1)
  return bytes
}
