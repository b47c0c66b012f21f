import { descendants, isElement, type XmlElement } from '../../xml.ts'

/** The paragraphs inside, plain, each on one line. */
export function linesOf(element: XmlElement | undefined): string[] {
  if (element === undefined) return []
  return [...descendants(element, 'text:p', 'text:h')]
    .map((paragraph) => lineText(paragraph).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

/** Spaces, tabs and line ends that count are elements without text. */
const spaces = new Set(['text:s', 'text:tab', 'text:line-break'])

const lineText = ({ children }: XmlElement): string =>
  children.map((child) => (!isElement(child) ? child : spaces.has(child.name) ? ' ' : lineText(child))).join('')
