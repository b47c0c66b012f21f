/** Opens PDF files with pdf.js, which is loaded when the first one is opened. */
import { getFile } from './api.js'
import { libraryAt } from './library.js'
import { say } from './words.js'

const largest = 80_000_000
const files = `${location.origin}/vendor/pdf`

const library = libraryAt('/vendor/pdf.js')

async function load() {
  const pdfjs = await library.load()
  pdfjs.GlobalWorkerOptions.workerSrc = `${location.origin}/vendor/pdf-worker.js`
  return pdfjs
}

const words = {
  PasswordException: say.passwordNeeded(),
  InvalidPDFException: say.pdfDamaged(),
}

/** The library's own messages are meant for developers. */
export const pdfFailure = (error) => words[error?.name] ?? error?.remedy ?? say.pdfNotShown()

/**
 * @param {{ path: string, size: number }} file
 * @returns {Promise<any>} The document of pdf.js; `destroy` it through its `loadingTask`.
 */
export async function openPdf(conversation, { path, size }, signal) {
  if (size > largest) throw { remedy: say.pictureTooLarge() }
  const [pdfjs, blob] = await Promise.all([load(), getFile(conversation, path, signal)])
  const task = pdfjs.getDocument({
    data: new Uint8Array(await blob.arrayBuffer()),
    // Nothing in a file may ever run: no eval, no calculated forms, no scripts.
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${files}/cmaps/`,
    cMapPacked: true,
    iccUrl: `${files}/iccs/`,
    standardFontDataUrl: `${files}/standard_fonts/`,
    wasmUrl: `${files}/wasm/`,
    // Fonts that aren't embedded come from here, because the page's CSP doesn't allow loading them from elsewhere.
    useSystemFonts: false,
    maxImageSize: 64_000_000,
    canvasMaxAreaInBytes: 256_000_000,
    verbosity: 0,
  })
  signal.addEventListener('abort', () => task.destroy())
  return task.promise.catch((error) => {
    // pdf.js remembers that its worker couldn't be loaded, so it is loaded anew.
    if (!signal.aborted && !Object.hasOwn(words, error?.name)) library.forget()
    throw error
  })
}
