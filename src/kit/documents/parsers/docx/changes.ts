import { descendants, isElement, textOf, type XmlElement, type XmlNode } from '../../xml.ts'

/** What somebody did while changes were tracked, by the element that holds the text. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['w:del', 'deleted'],
  ['w:ins', 'inserted'],
  ['w:moveFrom', 'moved away'],
  ['w:moveTo', 'moved here'],
])

/** Between two pieces of one change they mean nothing. */
const between = new Set(['w:proofErr', 'w:bookmarkStart', 'w:bookmarkEnd'])

/** Of a field, only the text that it shows is kept. */
const fieldParts = new Set(['w:fldChar', 'w:delInstrText', 'w:instrText'])

const longestName = 100

/** `deleted by Ana Lee, 2026-03-02`. Undefined if the element is no tracked change. */
export function changeOf({ name, attributes }: XmlElement): string | undefined {
  const kind = kinds.get(name)
  if (kind === undefined) return undefined
  const day = /^\d{4}-\d\d-\d\d/.exec(attributes.get('w:date') ?? '')?.[0]
  return changeText(kind, attributes.get('w:author') ?? '', day)
}

/** What an author did on a day, as `changeOf` says it. */
export function changeText(kind: string, name: string, day: string | undefined): string {
  const author = name.replace(/[\s[\]:]+/g, ' ').trim()
  const by = author === '' ? '' : ` by ${author.slice(0, longestName).toWellFormed()}`
  return `${kind}${by}${day === undefined ? '' : `, ${day}`}`
}

/** Word stores one change in many pieces: neighbours of the same kind, author and day become one. */
export function joinChanges(children: readonly XmlNode[]): XmlNode[] {
  const joined: XmlNode[] = []
  let last: { element: XmlElement; what: string } | undefined
  for (const child of children) {
    const what = isElement(child) ? changeOf(child) : undefined
    if (isElement(child) && what !== undefined) {
      if (last?.what === what) for (const one of child.children) last.element.children.push(one)
      else {
        last = { element: { ...child, children: [...child.children] }, what }
        joined.push(last.element)
      }
      continue
    }
    if (isElement(child) && !between.has(child.name)) last = undefined
    joined.push(child)
  }
  return joined
}

/** Makes deleted text ordinary text, in place. */
export function undelete(element: XmlElement): void {
  element.children = element.children.filter((child) => !isElement(child) || !fieldParts.has(child.name))
  for (const child of element.children) {
    if (!isElement(child)) continue
    if (child.name === 'w:delText') child.name = 'w:t'
    else undelete(child)
  }
}

/** Whether there are words to show: a changed space is not worth a remark. */
export const hasWords = (nodes: readonly XmlNode[]): boolean =>
  nodes.some(
    (node) =>
      isElement(node) &&
      [...descendants({ name: '', attributes: node.attributes, children: [node] }, 'w:t', 'w:delText', 'm:t')].some(
        (text) => textOf(text).trim() !== '',
      ),
  )

/** Whether all words of a paragraph are deleted. */
export const isDeleted = (paragraph: XmlElement): boolean =>
  hasWords(paragraph.children.filter((child) => isElement(child) && child.name === 'w:del')) &&
  !hasWords(paragraph.children.filter((child) => isElement(child) && child.name !== 'w:del'))
