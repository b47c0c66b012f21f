import { readFile } from 'node:fs/promises'
import { PDFCheckBox, PDFDocument, PDFDropdown, PDFOptionList, PDFRadioGroup, PDFTextField } from 'pdf-lib'
import { readPdf } from './reading.mjs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: info.mjs in.pdf')

const pdf = await PDFDocument.load(await readFile(path), { ignoreEncryption: true, updateMetadata: false })
const kinds = [
  [PDFTextField, 'text'],
  [PDFCheckBox, 'check box'],
  [PDFDropdown, 'choice'],
  [PDFOptionList, 'list'],
  [PDFRadioGroup, 'radio buttons'],
]

function describe(field) {
  const type = kinds.find(([kind]) => field instanceof kind)?.[1] ?? 'other'
  const about = { name: field.getName(), type }
  if (field.isRequired()) about.required = true
  if (field.isReadOnly()) about.readOnly = true
  if (type === 'text') about.value = field.getText() ?? ''
  if (type === 'check box') about.value = field.isChecked()
  if (type === 'choice' || type === 'list' || type === 'radio buttons') {
    about.options = field.getOptions()
    about.value = field.getSelected()
  }
  return about
}

/** Nothing but how many pages it has, as only pdf.js can decrypt it. */
async function encrypted() {
  try {
    const read = await readPdf(path)
    const { numPages: pages } = read
    await read.loadingTask.destroy()
    return { encrypted: true, pages }
  } catch (error) {
    if (error.name !== 'PasswordException') throw error
    return { encrypted: true, opensOnlyWithPassword: true }
  }
}

function facts() {
  const sizes = pdf.getPages().map((page) => `${Math.round(page.getWidth())} x ${Math.round(page.getHeight())} pt`)
  return {
    pages: pdf.getPageCount(),
    sizes: [...new Set(sizes)],
    encrypted: false,
    title: pdf.getTitle() ?? '',
    author: pdf.getAuthor() ?? '',
    fields: pdf.getForm().getFields().map(describe),
  }
}

console.log(JSON.stringify(pdf.isEncrypted ? await encrypted() : facts(), undefined, 1))
