import { readFile, writeFile } from 'node:fs/promises'
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'

const [out, path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: make.mjs out.pdf in.md')

const pdf = await PDFDocument.create()
const plain = await pdf.embedFont(StandardFonts.Helvetica)
const bold = await pdf.embedFont(StandardFonts.HelveticaBold)
const known = new Set(plain.getCharacterSet())
const [width, height, margin] = [595.28, 841.89, 56]
let page = pdf.addPage([width, height])
let y = height - margin
let count = 0
const replaced = new Set()

const printable = (text) =>
  Array.from(text.normalize('NFC').replaceAll('\t', '  '), (character) => {
    if (known.has(character.codePointAt(0))) return character
    count++
    replaced.add(character)
    return '?'
  }).join('')

function room(needed) {
  if (y - needed >= margin) return
  page = pdf.addPage([width, height])
  y = height - margin
}

/** How many characters of a word fit, at least one. Counted from its beginning: it may be very long. */
function fitting(word, font, size, most) {
  let end = 1
  while (end < word.length && font.widthOfTextAtSize(word.slice(0, end + 1), size) <= most) end++
  return end
}

/** Words on lines no wider than `most`; a word that is wider is cut. */
function wrapped(text, font, size, most) {
  const lines = []
  let line = ''
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    let rest = word
    const joined = line === '' ? rest : `${line} ${rest}`
    if (font.widthOfTextAtSize(joined, size) <= most) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    for (let end = fitting(rest, font, size, most); end < rest.length; end = fitting(rest, font, size, most)) {
      lines.push(rest.slice(0, end))
      rest = rest.slice(end)
    }
    line = rest
  }
  return line === '' ? lines : [...lines, line]
}

function write(text, { size = 11, font = plain, indent = 0, before = 0, lead = '' } = {}) {
  y -= before
  const lines = wrapped(printable(text), font, size, width - 2 * margin - indent)
  for (const [place, line] of lines.entries()) {
    room(size * 1.4)
    y -= size * 1.4
    if (place === 0 && lead !== '') page.drawText(lead, { x: margin + indent - 14, y, size, font })
    page.drawText(line, { x: margin + indent, y, size, font })
  }
}

const linesOnPage = Math.floor((height - 2 * margin - 6) / 14)
/** So that a few characters fit into each line of a cell. */
const narrowest = 20

/** Rows of a table; one that is longer than a page goes on on the next. */
function table(rows) {
  const columns = Math.max(...rows.map((row) => row.length))
  const cell = (width - 2 * margin) / columns
  if (cell < narrowest) throw new Error(`A table of ${columns} columns is too wide for a page: make it an .xlsx file`)
  for (const [place, row] of rows.entries()) {
    const font = place === 0 ? bold : plain
    const cells = row.map((text) => wrapped(printable(text), font, 10, cell - 8))
    const most = Math.max(1, ...cells.map((lines) => lines.length))
    for (let at = 0; at < most; at += linesOnPage)
      drawRow(
        cells.map((lines) => lines.slice(at, at + linesOnPage)),
        Math.min(linesOnPage, most - at) * 14 + 6,
        { cell, font },
      )
  }
  y -= 8
}

function drawRow(cells, tall, { cell, font }) {
  room(tall)
  for (const [column, lines] of cells.entries()) {
    const x = margin + column * cell
    page.drawRectangle({
      x,
      y: y - tall,
      width: cell,
      height: tall,
      borderWidth: 0.5,
      borderColor: rgb(0.6, 0.6, 0.6),
    })
    for (const [at, line] of lines.entries()) page.drawText(line, { x: x + 4, y: y - 14 - at * 14, size: 10, font })
  }
  y -= tall
}

const unmarked = (text) => text.replace(/(\*\*|__|`)(.+?)\1/g, '$2').replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)')
const lines = (await readFile(path, 'utf8')).split(/\r?\n/)
for (let at = 0; at < lines.length; at++) {
  const line = lines[at]
  const [, marks, heading] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
  const [, space, mark, item] = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? []
  if (heading !== undefined)
    write(unmarked(heading), { size: [22, 17, 14, 12, 11, 11][marks.length - 1], font: bold, before: 10 })
  else if (/^\s*\|.*\|\s*$/.test(line)) {
    const rows = []
    for (; at < lines.length && /^\s*\|.*\|\s*$/.test(lines[at]); at++)
      if (!/^[\s|:-]+$/.test(lines[at]))
        rows.push(
          lines[at]
            .trim()
            .slice(1, -1)
            .split('|')
            .map((text) => unmarked(text.trim())),
        )
    at--
    table(rows)
  } else if (item !== undefined) {
    const lead = /\d/.test(mark) ? mark : '•'
    write(unmarked(item), { indent: 16 + Math.min(4, Math.floor(space.length / 2)) * 14, lead })
  } else if (line.trim() === '') y -= 6
  else {
    let text = line
    while (at + 1 < lines.length && /^\s*[^\s#|>*+-]/.test(lines[at + 1]) && !/^\s*\d+[.)]\s/.test(lines[at + 1]))
      text += ` ${lines[++at]}`
    write(unmarked(text))
  }
}
await writeFile(out, await pdf.save())
const lost = count > 0 && { replaced: [...replaced].slice(0, 60).join('') }
console.log(JSON.stringify({ file: out, pages: pdf.getPageCount(), charactersReplaced: count, ...lost }))
