import { createCanvas } from '@napi-rs/canvas'
import { PDFDocument } from 'pdf-lib'

const [width, height] = [1240, 1754]

/** A page of paper as a scanner sees it: black letters on white, and a little noise. */
export function photographed(text: string): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fbfaf6'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#222'
  context.font = '24px "Liberation Serif", "DejaVu Serif", serif'
  for (const [index, line] of linesOf(text).entries()) context.fillText(line, 120, 160 + 36 * index)
  return canvas.toBuffer('image/jpeg', 80)
}

/** A PDF whose pages are pictures of these texts. */
export async function scanOf(...texts: string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (const text of texts) {
    const picture = await pdf.embedJpg(photographed(text))
    pdf.addPage([595, 842]).drawImage(picture, { x: 0, y: 0, width: 595, height: 842 })
  }
  return pdf.save()
}

const mostOfLine = 84

function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (`${line} ${word}`.length > mostOfLine) {
        lines.push(line)
        line = ''
      }
      line += line === '' ? word : ` ${word}`
    }
    lines.push(line)
  }
  return lines
}
