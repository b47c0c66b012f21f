import type { Definition, FootnoteDefinition, Nodes } from 'mdast'
import { type Edit, edited } from './containers.ts'
import { destination, escaped, titled } from './links.ts'
import { endOf, lastLineOf, lineOf, type Parsed, parseMarkdown, sourceOf, startOf, walk } from './parse.ts'

/** A longer text goes out as a file, and is not looked through. */
const mostParsed = 100_000

/**
 * Markdown whose parts can do without the others: links by reference become links, and footnotes numbers in brackets, as
 * the end of a text may get into another message than its beginning. Expects `normalised` text.
 */
export function selfContained(text: string): string {
  if (text.length > mostParsed || !/^[ \t>*+\-\d.)]*\[[^\]\n]+\]:/m.test(text)) return text
  const parsed = parseMarkdown(text)
  const definitions = new Map<string, Definition>()
  const notes = new Map<string, number>()
  const number = (id: string) => notes.get(id) ?? notes.set(id, notes.size + 1).size
  walk(parsed.root, (node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
    if (node.type === 'footnoteReference') number(node.identifier)
  })
  const edits: Edit[] = []
  walk(parsed.root, (node) => {
    edits.push(...editsOf(parsed, node, definitions, number))
  })
  const added = edits.reduce((sum, edit) => sum + edit.text.length, 0)
  return added > mostParsed ? text : edited(text, edits)
}

function editsOf(
  parsed: Parsed,
  node: Nodes,
  definitions: Map<string, Definition>,
  number: (id: string) => number,
): Edit[] {
  const whole = { start: startOf(node), end: endOf(node) }
  if (node.type === 'definition') return [{ ...whole, end: behindLine(parsed.text, whole.end), text: '' }]
  if (node.type === 'footnoteReference') return [{ ...whole, text: `\\[${number(node.identifier)}]` }]
  if (node.type === 'footnoteDefinition') return noteEdits(parsed, node, number(node.identifier))
  if (node.type !== 'linkReference' && node.type !== 'imageReference') return []
  const definition = definitions.get(node.identifier)
  if (!definition) return []
  const target = `](${destination(definition.url)}${titled(definition.title)})`
  if (node.type === 'imageReference') return [{ ...whole, text: `![${escaped(node.alt ?? '')}${target}` }]
  const last = node.children.at(-1)
  return last ? [{ start: endOf(last), end: whole.end, text: target }] : []
}

/** Where what follows on the same line starts, or the next line if nothing does. */
function behindLine(text: string, offset: number): number {
  return text[offset] === '\n' ? offset + 1 : offset
}

function noteEdits(parsed: Parsed, node: FootnoteDefinition, number: number): Edit[] {
  const start = startOf(node)
  const head = /^\[\^[^\]]*\]:[ \t]*/.exec(sourceOf(parsed, node))?.[0].length ?? 0
  const follows = start > 0 && !/\n[ \t>]*\n[ \t>]*$/.test(parsed.text.slice(Math.max(0, start - 200), start))
  const first = { start, end: start + head, text: `${follows && node.position?.start.column === 1 ? '\n' : ''}\\[${number}]: ` }
  const edits: Edit[] = [first]
  for (let line = lineOf(node) + 1; line <= lastLineOf(node); line++) {
    const at = parsed.lines[line] ?? 0
    const indent = /^ {1,4}/.exec(parsed.text.slice(at, at + 4))?.[0].length ?? 0
    edits.push({ start: at, end: at + indent, text: '' })
  }
  return edits
}
