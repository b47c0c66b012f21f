import { readFile } from 'node:fs/promises'
import { ExternalHyperlink, FootnoteReferenceRun, ImageRun, TextRun } from 'docx'
import { imageSize } from 'image-size'

const pixelsPerMm = 96 / 25.4
const imageTypes = { jpg: 'jpg', jpeg: 'jpg', png: 'png', gif: 'gif', bmp: 'bmp' }

/** The words of a paragraph with their formats. */
export async function runsOf(nodes, context, format = {}) {
  const runs = []
  for (const node of nodes) runs.push(...(await runOf(node, context, format)))
  return runs
}

function runOf(node, context, format) {
  const within = (more) => runsOf(node.children, context, { ...format, ...more })
  switch (node.type) {
    case 'text':
      return [new TextRun({ ...format, text: node.value.replace(/\s*\n\s*/g, ' ') })]
    case 'strong':
      return within({ bold: true })
    case 'emphasis':
      return within({ italics: true })
    case 'delete':
      return within({ strike: true })
    case 'inlineCode':
      return [new TextRun({ ...format, font: 'Consolas', text: node.value })]
    case 'break':
      return [new TextRun({ ...format, break: 1 })]
    case 'link':
      return linked(node.url, within)
    case 'linkReference':
      return linked(context.links[node.identifier], within)
    case 'footnoteReference':
      return [new FootnoteReferenceRun(context.notes.get(node.identifier))]
    case 'html':
      if (/^<br\s*\/?>$/i.test(node.value)) return [new TextRun({ ...format, break: 1 })]
      leaveOut(node.value, context)
      return []
    case 'image':
      return picture(node, context)
    default:
      return []
  }
}

/** Counts HTML that isn't shown. Comments aren't meant to be, and a closing tag was counted with its opening one. */
export function leaveOut(html, context) {
  if (!/^\s*<(!--|\/)/.test(html)) context.htmlLeftOut++
}

async function linked(url, within) {
  if (!/^(https?:|mailto:)/i.test(url ?? '')) return within({})
  return [new ExternalHyperlink({ link: url, children: await within({ color: '0563C1', underline: {} }) })]
}

/** A name that isn't encoded may hold a per cent sign. */
function decoded(url) {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

/** No wider than the text, and no taller than most of a page. */
async function picture({ url, alt }, { widthMm }) {
  const path = decoded(url)
  const data = await readFile(path).catch(() => {
    throw new Error(`There is no image ${path} in the workspace`)
  })
  const { width, height, type } = imageSize(data)
  if (imageTypes[type] === undefined) throw new Error(`${path} is no PNG, JPEG or GIF`)
  const scale = Math.min(1, (widthMm * pixelsPerMm) / width, (220 * pixelsPerMm) / height)
  const transformation = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const altText = { title: alt ?? '', description: alt ?? '', name: path }
  return [new ImageRun({ type: imageTypes[type], data, transformation, altText })]
}
