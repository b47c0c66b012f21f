import { readFile } from 'node:fs/promises'
import { PDFCheckBox, PDFDropdown, PDFOptionList, PDFRadioGroup, PDFTextField } from 'pdf-lib'
import { openPdf, savePdf } from './changing.mjs'

const [path, out, given, flag] = process.argv.slice(2)
if (given === undefined) throw new Error('Usage: fill.mjs in.pdf out.pdf \'{"Name": "Ana"}\' [--flatten]')

const values = JSON.parse(given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given)
const pdf = await openPdf(path)
const form = pdf.getForm()
const fields = new Map(form.getFields().map((field) => [field.getName(), field]))
if (fields.size === 0) throw new Error('This PDF has no form fields.')

const unknown = Object.keys(values).filter((name) => !fields.has(name))
if (unknown.length > 0)
  throw new Error(`There are no fields ${unknown.join(', ')}. There are: ${[...fields.keys()].join(', ')}`)

const known = new Set(form.getDefaultFont().getCharacterSet())

/** A text that the form can show. */
function shown(name, text) {
  const whole = text.normalize('NFC')
  const lacking = Array.from(whole).filter(
    (one) => !/[\t\n\v\f\r\u0085\u2028\u2029]/.test(one) && !known.has(one.codePointAt(0)),
  )
  if (lacking.length === 0) return whole
  const named = [...new Set(lacking)].map((one) => JSON.stringify(one)).join(', ')
  throw new Error(
    `${name}: this form's font has no ${named}. Ask for another spelling, or leave the field empty and say so.`,
  )
}

function choose(field, value) {
  const wanted = Array.isArray(value) ? value.map(String) : [String(value)]
  const options = field.getOptions()
  const wrong = wanted.filter((one) => !options.includes(one))
  if (wrong.length > 0)
    throw new Error(`${field.getName()}: ${wrong.join(', ')} is not an option. There are: ${options.join(', ')}`)
  // Radio buttons show none of their options.
  if (!(field instanceof PDFRadioGroup)) for (const one of wanted) shown(field.getName(), one)
  field.select(field instanceof PDFRadioGroup ? wanted[0] : wanted)
}

for (const [name, value] of Object.entries(values)) {
  const field = fields.get(name)
  if (field instanceof PDFTextField) field.setText(value === null ? '' : shown(name, String(value)))
  else if (field instanceof PDFCheckBox) {
    if (typeof value !== 'boolean') throw new Error(`${name} is a check box: give true or false`)
    if (value) field.check()
    else field.uncheck()
  } else if (field instanceof PDFDropdown || field instanceof PDFOptionList || field instanceof PDFRadioGroup) {
    choose(field, value)
  } else throw new Error(`${name} is a field that can't be filled in here`)
}
const empty = [...fields].filter(([name, field]) => field.isRequired() && !(name in values)).map(([name]) => name)
if (flag === '--flatten') form.flatten()
await savePdf(pdf, out, path)
console.log(JSON.stringify({ file: out, filled: Object.keys(values), requiredButNotGiven: empty }))
