import { Document, Packer, Paragraph } from 'docx'
import ExcelJS from 'exceljs'
import JSZip from 'jszip'
import { PDFDocument } from 'pdf-lib'

/** A Word document as Word would write it. */
export const docx = (text = 'hello'): Promise<Buffer> =>
  Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph(text)] }] }))

export async function xlsx(): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook()
  workbook.addWorksheet('one').addRow(['a', 1])
  return Buffer.from(await workbook.xlsx.writeBuffer())
}

export async function pdf(): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.addPage()
  return Buffer.from(await document.save())
}

/** `stored` is not compressed, so that a large entry comes before the others. */
export async function zip(entries: Record<string, string | Buffer>, stored = false): Promise<Buffer> {
  const archive = new JSZip()
  for (const [name, content] of Object.entries(entries)) archive.file(name, content)
  return archive.generateAsync({ type: 'nodebuffer', compression: stored ? 'STORE' : 'DEFLATE' })
}

/** A Word document to which macros were added. */
export async function withMacros(document: Buffer): Promise<Buffer> {
  const archive = await JSZip.loadAsync(document)
  archive.file('word/vbaProject.bin', 'Attribute VB_Name')
  return archive.generateAsync({ type: 'nodebuffer' })
}

/** The beginning of a Windows program: the DOS stub and the PE signature. */
export function exe(): Buffer {
  const bytes = Buffer.alloc(1024)
  bytes.write('MZ')
  bytes.writeUInt32LE(0x80, 0x3c)
  bytes.write('PE\0\0', 0x80, 'latin1')
  return bytes
}

export const elf = (): Buffer => Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(120)])

/** An OLE container with empty streams of these names; `root` is its class id in hexadecimal. */
export function ole(names: string[], root = '0'.repeat(32)): Buffer {
  const sector = 512
  const directorySectors = Math.ceil((names.length + 1) / 4)
  const bytes = Buffer.alloc(sector * (2 + directorySectors), 0)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt32LE(1, 44)
  bytes.writeUInt32LE(1, 48)
  bytes.fill(0xff, 76, sector)
  bytes.writeUInt32LE(0, 76)
  bytes.fill(0xff, sector, 2 * sector)
  bytes.writeUInt32LE(0xfffffffd, sector)
  for (let at = 1; at <= directorySectors; at++) {
    bytes.writeUInt32LE(at === directorySectors ? 0xfffffffe : at + 1, sector + at * 4)
  }
  for (const [index, name] of ['Root Entry', ...names].entries()) {
    const at = 2 * sector + index * 128
    bytes.write(name, at, 'utf16le')
    bytes.writeUInt16LE((name.length + 1) * 2, at + 64)
    bytes[at + 66] = index === 0 ? 5 : 2
    if (index === 0) bytes.write(root, at + 80, 'hex')
  }
  return bytes
}
