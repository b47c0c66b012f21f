import { all, attribute, child, children } from './package.mjs'

const main = 'word/document.xml'

/** The parts that have text of the document: its body, then headers, footers and notes. */
export async function textParts(file) {
  const others = file.names().filter((name) => /^word\/(header|footer|footnotes|endnotes)\d*\.xml$/.test(name))
  return Promise.all([main, ...others.toSorted()].map(async (name) => ({ name, xml: await file.xml(name) })))
}

/** The paragraphs of the body in order, those in tables too, numbered from 1 by their place. */
export const paragraphsOf = (xml) =>
  all(xml, 'p').filter((one) => one.namespaceURI === xml.documentElement.namespaceURI)

/** What one child of a run says. */
function saidBy(node) {
  if (node.localName === 't') return node.textContent ?? ''
  if (node.localName === 'tab') return '\t'
  return node.localName === 'br' || node.localName === 'cr' ? '\n' : ''
}

/** Elements of Word itself, as drawings have some of the same name. */
export const wordsOwn = (root, names) =>
  all(root, '*').filter((one) => one.namespaceURI === root.namespaceURI && names.includes(one.localName))

/** Each holds the format of before. */
export const formatChanges = [
  ...['rPrChange', 'pPrChange', 'sectPrChange', 'numberingChange', 'tblPrChange', 'tblPrExChange', 'tblGridChange'],
  ...['trPrChange', 'tcPrChange'],
]

/** Runs that belong to this paragraph itself, without those of text boxes inside it, and those that were moved elsewhere. */
export const runsOf = (paragraph) =>
  wordsOwn(paragraph, ['r']).filter((run) => owner(run) === paragraph && run.parentNode.localName !== 'moveFrom')

function owner(node) {
  let up = node.parentNode
  while (up !== null && up.localName !== 'p') up = up.parentNode
  return up
}

export const textOf = (paragraph) =>
  runsOf(paragraph)
    .flatMap((run) => children(run).map(saidBy))
    .join('')

export const styleOf = (paragraph) => {
  const properties = child(paragraph, 'pPr')
  return (properties && attribute(child(properties, 'pStyle'), 'val')) ?? 'Normal'
}

/** The styles that a paragraph can have, by their ids. */
export const stylesOf = async (file) =>
  file.has('word/styles.xml')
    ? all(await file.xml('word/styles.xml'), 'style')
        .filter((one) => attribute(one, 'type') === 'paragraph')
        .map((one) => attribute(one, 'styleId'))
    : []

const element = (near, name) => near.ownerDocument.createElementNS(near.namespaceURI, `${near.prefix ?? 'w'}:${name}`)

/** A run with this text, formatted like another one. */
export function runWith(text, like) {
  const run = element(like, 'r')
  const format = child(like, 'rPr')
  if (format !== undefined) run.appendChild(format.cloneNode(true))
  for (const [place, line] of text.split('\n').entries()) {
    if (place > 0) run.appendChild(element(like, 'br'))
    const words = element(like, 't')
    words.setAttribute('xml:space', 'preserve')
    words.appendChild(like.ownerDocument.createTextNode(line))
    run.appendChild(words)
  }
  return run
}

/** Splits runs, so that each says one thing and none crosses `start` or `end`. Returns those between. */
function runsBetween(paragraph, start, end) {
  const between = []
  let at = 0
  for (const run of runsOf(paragraph)) {
    for (const part of children(run).filter(({ localName }) => localName !== 'rPr')) {
      const text = saidBy(part)
      const cuts = [0, start - at, end - at, text.length].filter((cut) => cut >= 0 && cut <= text.length)
      const places = [...new Set(cuts)].toSorted((a, b) => a - b)
      const pieces =
        part.localName === 't' && text !== '' ? places.slice(1).map((to, place) => [places[place], to]) : [undefined]
      for (const piece of pieces) {
        const own = piece === undefined ? run.cloneNode(false) : runWith(text.slice(...piece), run)
        if (piece === undefined) {
          const format = child(run, 'rPr')
          if (format !== undefined) own.appendChild(format.cloneNode(true))
          // Not a copy: somebody may hold paragraphs of a text box in it.
          own.appendChild(part)
        }
        run.parentNode.insertBefore(own, run)
        const from = at + (piece?.[0] ?? 0)
        if (text !== '' && from >= start && from < end) between.push(own)
      }
      at += text.length
    }
    run.parentNode.removeChild(run)
  }
  return between
}

/** Marks what is inserted and deleted as somebody's, or just does it. */
export function changer(track) {
  let id = 9_000_000
  const marked = (near, name) => {
    const mark = element(near, name)
    for (const [key, value] of [
      ['id', id++],
      ['author', track],
      ['date', `${new Date().toISOString().slice(0, 19)}Z`],
    ])
      mark.setAttributeNS(near.namespaceURI, `${near.prefix ?? 'w'}:${key}`, String(value))
    return mark
  }
  function remove(run) {
    if (track === undefined) return void run.parentNode.removeChild(run)
    const mark = marked(run, 'del')
    run.parentNode.insertBefore(mark, run)
    for (const words of children(run, 't')) {
      const deleted = element(run, 'delText')
      deleted.setAttribute('xml:space', 'preserve')
      deleted.appendChild(run.ownerDocument.createTextNode(words.textContent ?? ''))
      run.replaceChild(deleted, words)
    }
    mark.appendChild(run)
  }
  function insert(run, parent, before) {
    const mark = track === undefined ? run : marked(run, 'ins')
    if (mark !== run) mark.appendChild(run)
    parent.insertBefore(mark, before ?? null)
  }
  /** Says for Word that the end of a paragraph itself was inserted or deleted. */
  function markEnd(paragraph, name) {
    const properties =
      child(paragraph, 'pPr') ?? paragraph.insertBefore(element(paragraph, 'pPr'), paragraph.firstChild)
    const format = child(properties, 'rPr') ?? properties.appendChild(element(paragraph, 'rPr'))
    format.insertBefore(marked(paragraph, name), format.firstChild)
  }
  return {
    /** Puts a text in the place of another, formatted like its beginning. */
    put(paragraph, start, end, text) {
      const old = runsBetween(paragraph, start, end)
      const first = old[0] ?? runsOf(paragraph).at(-1)
      const added = text === '' ? undefined : runWith(text, first ?? paragraph)
      // The last run may stand in what was deleted.
      if (added !== undefined) insert(added, old[0]?.parentNode ?? paragraph, old[0])
      for (const run of old) remove(run)
    },
    remove(paragraph) {
      if (track === undefined) {
        const { parentNode: parent } = paragraph
        const isOnly = children(parent, 'p').length === 1 && ['tc', 'txbxContent'].includes(parent.localName)
        // A cell of a table and a text box have to keep one.
        if (isOnly) for (const run of runsOf(paragraph)) run.parentNode.removeChild(run)
        else parent.removeChild(paragraph)
        return
      }
      for (const run of runsOf(paragraph)) remove(run)
      markEnd(paragraph, 'del')
    },
    add(text, style, after) {
      const added = after.cloneNode(false)
      const properties = child(after, 'pPr')?.cloneNode(true)
      if (properties !== undefined) {
        const dropped = ['sectPr', 'rPr', ...(style === undefined ? [] : ['numPr'])]
        for (const one of children(properties)) if (dropped.includes(one.localName)) properties.removeChild(one)
        added.appendChild(properties)
      }
      if (style !== undefined) setStyle(added, style)
      after.parentNode.insertBefore(added, after.nextSibling)
      insert(runWith(text, style === undefined ? (runsOf(after)[0] ?? after) : after), added)
      if (track !== undefined) markEnd(added, 'ins')
      return added
    },
  }
}

export function setStyle(paragraph, style) {
  const properties = child(paragraph, 'pPr') ?? paragraph.insertBefore(element(paragraph, 'pPr'), paragraph.firstChild)
  const named =
    child(properties, 'pStyle') ?? properties.insertBefore(element(paragraph, 'pStyle'), properties.firstChild)
  named.setAttributeNS(paragraph.namespaceURI, `${paragraph.prefix ?? 'w'}:val`, style)
}
