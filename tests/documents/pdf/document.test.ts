import { PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib'
import { expect, test } from 'vitest'
import { photographed } from '../pictures/scans.ts'
import { lorem, paragraph } from './compose.ts'
import { makePdf, string } from './make.ts'
import { limits, parse, parsed } from './parse.ts'

const page = (text: string) => ({ texts: paragraph(text, { x: 50, y: 100, width: 480 }) })

test('title, author, pages, outline and labels', async () => {
  const { kind, notes, parts } = await parsed([page('one'), page('two'), page('three')], {
    title: 'Jahresbericht 漢字',
    author: 'Ana Pérez',
    outline: [
      { title: 'Introduction', page: 1, items: [{ title: 'Aims', page: 2 }] },
      { title: 'Results', page: 3 },
    ],
    labels: '<< /Nums [0 << /S /r >> 1 << /S /D /St 2 >> 2 << /P (A-) /S /D >>] >>',
  })
  expect(kind).toBe('pdf')
  expect(notes).toEqual([
    'Its title is "Jahresbericht 漢字".',
    'Its author is Ana Pérez.',
    'Its outline:\n- Introduction (page 1)\n  - Aims (page 2)\n- Results (page 3)',
  ])
  expect(parts).toEqual([
    { unit: 'page', number: 1, name: 'i', text: 'one' },
    { unit: 'page', number: 2, text: 'two' },
    { unit: 'page', number: 3, name: 'A-1', text: 'three' },
  ])
})

test('a long outline is cut', async () => {
  const outline = Array.from({ length: 150 }, (_, index) => ({ title: `Chapter ${index + 1}`, page: 1 }))
  const note = (await parsed([page('one')], { outline })).notes.find((entry) => entry.startsWith('Its outline'))
  expect(note?.split('\n')).toHaveLength(101)
  expect(note).toContain('the first 100 entries')
})

test('pages without text are named', async () => {
  const blank = { texts: [], content: '0 0 100 100 re f' }
  const { notes, parts } = await parsed([page('one'), blank, blank, page('four'), blank])
  expect(notes).toContain('Pages 2, 3 and 5 have no text: they are probably scanned.')
  expect(parts.map((part) => part.text)).toEqual(['one', '', '', 'four', ''])
})

test('images beside text, and words without spaces, are named in a line', async () => {
  const pdf = await PDFDocument.create()
  const sheet = pdf.addPage()
  const image = (side: number, more = {}) => {
    const size = { Type: 'XObject', Subtype: 'Image', Width: side, Height: side }
    return pdf.context.register(pdf.context.stream('', { ...size, ColorSpace: 'DeviceGray', ...more }))
  }
  image(20)
  image(200, { SMask: image(200) })
  expect((await parse(await pdf.save())).notes.join()).not.toContain('image')
  sheet.drawText('The chart is below.', { x: 50, y: 700 })
  pdf.addPage().drawText('Themembersofthecommitteeagreedtovisitbothplaces in May.', { x: 50, y: 700 })
  const { notes } = await parse(await pdf.save())
  expect(notes).toContain('It has an image, which is not read.')
  expect(notes).toContain('On page 2, words stick together: the file has no spaces between them.')
})

test('the image that a scanned page is isn’t also called one that is not read', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage().drawText('The cover has letters.', { x: 50, y: 700 })
  pdf.addPage().drawImage(await pdf.embedJpg(photographed('A scanned page.')), { x: 0, y: 0, width: 500, height: 700 })
  expect((await parse(await pdf.save())).notes).toEqual(['Page 2 has no text: it is probably scanned.'])
})

test('a page with text is pictured if pictures without text of their own cover much of it', async () => {
  const pdf = await PDFDocument.create()
  const paper = photographed('A scanned letter.')
  const add = async (text: string, side: number) => {
    const added = pdf.addPage([600, 800])
    added.drawImage(await pdf.embedJpg(paper), { x: 0, y: 0, width: side, height: side })
    added.drawText(text, { x: 20, y: 500, size: 8 })
  }
  await add('RECEIVED', 600)
  await add('A logo is below.', 200)
  await add('What is here was recognized before.\n'.repeat(20), 600)
  await add('A photo is below.', 400)
  const { notes, parts } = await parse(await pdf.save())
  expect(parts.map(({ isPictured }) => isPictured ?? false)).toEqual([true, false, false, true])
  const what = 'Pages 1 and 4 show pictures beside their text: what is written in them was not read.'
  expect(notes).toContain(what)
})

test('comments stand below the text of their page', async () => {
  const rect = '/Rect [100 700 120 720]'
  const note = `/Subtype /Text ${rect} /T ${string('Ben')} /Contents ${string('Is this right?\nPlease check.')}`
  const { parts } = await parsed([
    { ...page('one'), annotations: [note, `/Subtype /Link ${rect} /Contents ${string('x')}`] },
  ])
  expect(parts[0]?.text).toBe('one\n\n> Ben: Is this right?\n> Please check.')
})

test('a comment whose text is only drawn, or only written with its formatting, is read too', async () => {
  const pdf = await PDFDocument.create()
  const sheet = pdf.addPage()
  const font = pdf.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' })
  const drawn = pdf.context.stream('BT /F 10 Tf 14 TL 5 40 Td (Please check) Tj T* (this number.) Tj ET', {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 200, 60],
    Resources: { Font: { F: font } },
  })
  const comment = { Type: 'Annot', Rect: [100, 600, 300, 660], T: PDFHexString.fromText('Ana') }
  const rich = '<body xmlns="http://www.w3.org/1999/xhtml"><p>Who <b>says</b> so?</p></body>'
  const annotations = [
    { Subtype: 'FreeText', AP: { N: pdf.context.register(drawn) } },
    { Subtype: 'FreeText', AP: { N: pdf.context.register(drawn) }, Contents: PDFHexString.fromText('Said already.') },
    { Subtype: 'Text', RC: PDFString.of(rich) },
  ].map((one) => pdf.context.register(pdf.context.obj({ ...comment, ...one })))
  sheet.node.set(PDFName.of('Annots'), pdf.context.obj(annotations))
  expect((await parse(await pdf.save())).parts[0]?.text).toBe(
    '> Ana: Please check\n> this number.\n\n> Ana: Said already.\n\n> Ana: Who says so?',
  )
})

test('a scanned page with a comment or a field is still one whose picture is to be read', async () => {
  const comment = `/Subtype /Text /Rect [50 50 70 70] /Contents ${string('Please check.')}`
  const field = `/Subtype /Widget /FT /Tx /T ${string('date')} /V ${string('2026-01-02')} /Rect [50 50 70 70]`
  const { notes, parts } = await parsed([
    { texts: [], annotations: [comment] },
    { texts: [], annotations: [field] },
    { ...page('three'), annotations: [comment] },
  ])
  expect(parts.map(({ isPictured }) => isPictured ?? false)).toEqual([true, true, false])
  expect(notes).toContain('Pages 1 and 2 show pictures beside their text: what is written in them was not read.')
})

test('a page whose font hides its letters is named, and its picture is to be read', async () => {
  // As programs number the shapes of a font: a space is 3.
  const numbered = (text: string) => String.fromCharCode(...[...text].map((letter) => letter.charCodeAt(0) - 29))
  const mute = { x: 50, y: 100, text: numbered('The contract ends on 31 December 2026.'), font: 'mute' as const }
  const bullets = ['One', 'Two'].flatMap((text, index) => [
    { x: 50, y: 100 + 20 * index, text: '\u0002', font: 'mute' as const },
    { x: 70, y: 100 + 20 * index, text },
  ])
  const { notes, parts } = await parsed([page('one'), { texts: [mute] }, { texts: bullets }])
  expect(parts.map(({ isPictured }) => isPictured ?? false)).toEqual([false, true, false])
  expect(notes.join()).toMatch(/^On page 2, .* is wrong\.$/)
})

test('layers that are switched off are named', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage().drawText('The price is 500.')
  const layer = (name: string) =>
    pdf.context.register(pdf.context.obj({ Type: 'OCG', Name: PDFHexString.fromText(name) }))
  const [old, now] = [layer('Old draft'), layer('Now')]
  pdf.catalog.set(PDFName.of('OCProperties'), pdf.context.obj({ OCGs: [old, now], D: { OFF: [old] } }))
  expect((await parse(await pdf.save())).notes).toContain(
    'It has layers that are switched off (Old draft): nobody sees them on the page, but their text is part of the text here.',
  )
})

test('what was struck out on a page is told, with and without a comment', async () => {
  const at = '/Rect [98 735 140 752] /QuadPoints [98 752 140 752 98 738 140 738]'
  const strike = (more: string) => `/Subtype /StrikeOut ${at} /T ${string('Ana')} ${more}`
  const { parts } = await parsed([
    { ...page('The fee is 500 EUR, or 900.'), annotations: [strike(''), strike(`/Contents ${string('No.')}`)] },
  ])
  expect(parts[0]?.text).toBe(
    'The fee is 500 EUR, or 900.\n\n> Ana: [struck out: 500 EUR,]\n\n> Ana: [struck out: 500 EUR,] No.',
  )
})

test('the value of a hidden field is marked', async () => {
  const field = (name: string, value: string) =>
    `/Subtype /Widget /FT /Tx /F 2 /T ${string(name)} /V ${string(value)} /Rect [50 50 70 70]`
  const { parts } = await parsed([{ ...page('one'), annotations: [field('limit', '900'), field('empty', '')] }])
  expect(parts[0]?.text).toBe('one\n\nForm fields:\n- limit: [hidden: 900]\n- empty: (empty)')
})

test('of check boxes that share a name, the one that is checked counts, on whichever page it is', async () => {
  const box = (name: string, state: string) =>
    `/Subtype /Widget /FT /Btn /T ${string(name)} /V /${state} /AS /${state} /Rect [50 50 60 60] ` +
    '/AP << /N << /B << >> /Off << >> >> >>'
  const { parts } = await parsed([
    { ...page('one'), annotations: [box('size', 'Off'), box('size', 'B'), box('later', 'Off'), box('never', 'Off')] },
    { ...page('two'), annotations: [box('later', 'B'), box('never', 'Off')] },
  ])
  expect(parts.map(({ text }) => text)).toEqual([
    'one\n\nForm fields:\n- size: checked (B)\n- later: not checked\n- never: not checked',
    'two\n\nForm fields:\n- later: checked (B)',
  ])
})

test('the fields of a form and attachments, as another library writes them', async () => {
  const pdf = await PDFDocument.create()
  const form = pdf.getForm()
  const sheet = pdf.addPage()
  const name = form.createTextField('person.name')
  name.setText('Zoë Müller')
  const story = form.createTextField('story')
  story.enableMultiline()
  story.setText(`First line\n${'A long answer. '.repeat(15)}the end`)
  name.addToPage(sheet, { x: 50, y: 600 })
  name.acroField.getWidgets()[0]?.dict.set(PDFName.of('TU'), PDFHexString.fromText('Your full name'))
  form.createTextField('person.phone').addToPage(sheet, { x: 50, y: 550 })
  const agreed = form.createCheckBox('agreed')
  agreed.addToPage(sheet, { x: 50, y: 500 })
  agreed.check()
  form.createCheckBox('newsletter').addToPage(sheet, { x: 50, y: 480 })
  const second = pdf.addPage()
  second.drawText('Page two')
  story.addToPage(second, { x: 50, y: 300, height: 200 })
  name.addToPage(second, { x: 50, y: 600 })
  const size = form.createDropdown('size')
  size.addOptions(['S', 'M', 'L'])
  size.select('M')
  size.addToPage(sheet, { x: 50, y: 450 })
  await pdf.attach(Buffer.from('a,b\n1,2\n'), 'figures.csv', { mimeType: 'text/csv' })
  const { notes, parts } = await parse(await pdf.save())
  expect(parts[0]?.text).toBe(
    'Form fields:\n- person.name (Your full name): Zoë Müller\n- person.phone: (empty)\n- agreed: checked\n- newsletter: not checked\n- size: M',
  )
  expect(parts[1]?.text).toMatch(/^Page two\n\nForm fields:\n- story: First line\n {2}A long answer\. .* the end$/)
  expect(notes).toContain('It is a form: the values of its fields stand below the text of their pages.')
  expect(notes.join()).not.toContain('scanned')
  expect(notes).toContain('Files are attached to it, which are not read: figures.csv.')
})

test.each(['rc4', 'aes-256'] as const)('a file protected by %s opens with its password only', async (method) => {
  const protectedBy = (user: string) =>
    makePdf({ pages: [page('The secret plan')], title: 'Plan', protection: { method, user, owner: 'boss' } })
  await expect(parse(protectedBy('open'))).rejects.toMatchObject({ code: 'password_needed' })
  await expect(parse(protectedBy('open'), { password: 'shut' })).rejects.toMatchObject({ code: 'password_wrong' })
  for (const password of ['open', 'boss']) {
    const { parts, notes } = await parse(protectedBy('open'), { password })
    expect([parts[0]?.text, notes[0]]).toEqual(['The secret plan', 'Its title is "Plan".'])
  }
  expect((await parse(protectedBy(''))).parts[0]?.text).toBe('The secret plan')
})

test('the limits end the reading', async () => {
  const bytes = makePdf({ pages: [page(lorem), page(lorem), page(lorem)] })
  const short = await parse(bytes, { limits: { ...limits, textCharacters: 700 } })
  expect(short.parts.map((part) => part.text.length)).toEqual([lorem.length, 700 - lorem.length])
  expect(short.notes.at(-1)).toContain('left out')
  expect((await parse(bytes, { limits: { ...limits, parts: 1 } })).parts).toHaveLength(1)
})

test('the bytes stay with who gave them', async () => {
  const bytes = makePdf({ pages: [page('one')] })
  const before = bytes.slice()
  await parse(bytes)
  expect(bytes).toEqual(before)
})

test('a thousand pages', async () => {
  const pages = Array.from({ length: 1000 }, (_, index) => page(`This is page ${index + 1}.`))
  const { parts, notes } = await parse(makePdf({ pages, isPacked: true }))
  expect(notes).toEqual([])
  expect(parts).toHaveLength(1000)
  expect(parts.map((part) => part.text)).toEqual(parts.map((part) => `This is page ${part.number}.`))
})
