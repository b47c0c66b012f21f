import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** A PDF to be read, with the fonts and tables that it may leave to its reader. */
export const readPdf = async (path) =>
  getDocument({
    data: new Uint8Array(await readFile(path)),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    standardFontDataUrl: join(home, 'standard_fonts/'),
    cMapUrl: join(home, 'cmaps/'),
    cMapPacked: true,
    wasmUrl: join(home, 'wasm/'),
  }).promise
