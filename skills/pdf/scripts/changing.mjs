import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PDFDocument } from 'pdf-lib'

/** A PDF whose pages are changed or taken over. */
export async function openPdf(path) {
  try {
    return await PDFDocument.load(await readFile(path))
  } catch (error) {
    if (/is encrypted/.test(error.message)) throw new Error(`${path} is encrypted: ask for one without a password`)
    throw error
  }
}

/** Writes a PDF that was made from these files. */
export async function savePdf(pdf, out, ...inputs) {
  if (inputs.some((input) => resolve(input) === resolve(out)))
    throw new Error(`${out}: write to another file, so that the original stays`)
  await writeFile(out, await pdf.save())
}

/** Pages that are taken over into another file show what a form says, but its fields stay behind. */
export function fieldsLost(...pdfs) {
  const count = pdfs.reduce((sum, pdf) => sum + pdf.getForm().getFields().length, 0)
  return count > 0 && { formFieldsLost: count }
}
