import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { reasonOf } from '../../../failure.ts'
import { damaged, passwordNeeded, passwordWrong, type SourceFile } from '../../parse.ts'

const folderOf = (name: string): string => fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}/`))

const folders = new Map([
  ['cMapUrl', 'cmaps'],
  ['standardFontDataUrl', 'standard_fonts'],
  ['wasmUrl', 'wasm'],
])

/**
 * Reads the library's own tables (how codes of Asian fonts map to characters, widths of standard fonts) from its
 * folder.
 */
class LibraryData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    // A name may come from the file being read: it never leaves the folder.
    if (!/^[\w-]+\.(bcmap|pfb|ttf|wasm)$/.test(filename)) throw new Error(`no such table: ${filename}`)
    const folder = folders.get(kind)
    if (folder === undefined) throw new Error(`nothing of ${kind} is needed for text`)
    return new Uint8Array(await readFile(`${folderOf(folder)}${filename}`))
  }
}

/** Pages without text may have had some if the end of the file is missing. */
export interface OpenPdf {
  pdf: PDFDocumentProxy
  isCutOff: boolean
}

/**
 * Opens a PDF in this thread, without system fonts or network; its pictures are decoded only if it is to be drawn, up
 * to so many pixels each. Throws `password_needed`, `password_wrong` or
 * `damaged`. Whoever opens it ends it with `loadingTask.destroy()`.
 */
export async function openPdf(file: Omit<SourceFile, 'name'>, mostDrawnPixels = 0): Promise<OpenPdf> {
  const load = (bytes: Uint8Array) => opened(bytes, file.password, mostDrawnPixels)
  try {
    return { pdf: await load(file.bytes), isCutOff: false }
  } catch (thrown) {
    if (isAboutPassword(thrown)) throw file.password ? passwordWrong() : passwordNeeded()
    const whole = withTrailer(file.bytes)
    const pdf = whole === undefined ? undefined : await load(whole).catch(() => undefined)
    if (pdf !== undefined) return { pdf, isCutOff: true }
    throw damaged(`it cannot be opened as a PDF (${reasonOf(thrown).replace(/\.$/, '')})`, thrown)
  }
}

const isAboutPassword = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'PasswordException'

async function opened(
  bytes: Uint8Array,
  password: string | undefined,
  mostDrawnPixels: number,
): Promise<PDFDocumentProxy> {
  const isDrawn = mostDrawnPixels > 0
  const task = getDocument({
    // The library takes the buffer away from its owner, so it gets a copy.
    data: new Uint8Array(bytes),
    ...(password === undefined ? {} : { password }),
    cMapUrl: folderOf('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folderOf('standard_fonts'),
    BinaryDataFactory: LibraryData,
    useWorkerFetch: false,
    useSystemFonts: false,
    useWasm: isDrawn,
    ...(isDrawn ? { wasmUrl: folderOf('wasm') } : {}),
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize: mostDrawnPixels,
    enableXfa: false,
    stopAtErrors: false,
    disableRange: true,
    disableStream: true,
    disableAutoFetch: true,
    verbosity: 0,
  })
  try {
    return await task.promise
  } catch (thrown) {
    await task.destroy()
    throw thrown
  }
}

/** The file with an end that points to its catalog, if the real end is missing. */
function withTrailer(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const catalog = file.lastIndexOf('/Catalog')
  const start = catalog === -1 ? -1 : file.lastIndexOf(' obj', catalog)
  const number =
    start === -1 ? null : /(\d{1,9}) (\d{1,5})$/.exec(file.toString('latin1', Math.max(0, start - 20), start))
  // Without its end, an encrypted file can't be decrypted.
  if (number === null || file.includes('/Encrypt')) return undefined
  const trailer = `\nendstream\nendobj\ntrailer\n<< /Root ${number[1]} ${number[2]} R >>\nstartxref\n0\n%%EOF\n`
  return new Uint8Array(Buffer.concat([file, Buffer.from(trailer)]))
}
