import type { Code, Heading, Table } from 'mdast'
import { furtherLine, opening, openingLine } from './containers.ts'
import { contentStart, lastLineOf, lineEnd, lineOf, type Parsed, sourceOf, startOf } from './parse.ts'
import type { Leaf } from './structure.ts'

/** What must be repeated around a part of a block. */
export interface Frame {
  /** Precedes a part that starts with a line of the source. Undefined: no part may start there. */
  openLine: string | undefined
  /** Precedes a part that starts within a line. */
  openInside: string
  close: string
  /** The first and last line that may be split; before the first there is no place for a cut. */
  firstLine: number
  lastLine: number
  /** A table whose cells may be split. */
  cells?: boolean
}

/** As the parts of a block that is too large to repeat its marks: they lose them. */
export const bareFrame = ({ node }: Leaf): Frame => ({
  openLine: '',
  openInside: '',
  close: '',
  firstLine: lineOf(node),
  lastLine: lastLineOf(node),
})

const fence = /^(`{3,}|~{3,})/

export function frameOf(parsed: Parsed, leaf: Leaf): Frame {
  const { node, chain } = leaf
  const lines = { firstLine: lineOf(node), lastLine: lastLineOf(node) }
  if (node.type === 'code') return { ...lines, ...codeFrame(parsed, leaf, node) }
  if (node.type === 'table') return { ...lines, ...tableFrame(parsed, leaf, node) }
  if (node.type === 'heading') return { ...lines, ...headingFrame(parsed, leaf, node) }
  const openLine = node.type === 'paragraph' ? undefined : opening(chain)
  return { ...lines, openLine, openInside: openingLine(chain), close: '' }
}

function codeFrame(
  parsed: Parsed,
  { chain }: Leaf,
  node: Code,
): Partial<Frame> & Omit<Frame, 'firstLine' | 'lastLine'> {
  const mark = fence.exec(sourceOf(parsed, node))?.[0]
  if (mark === undefined) {
    return { openLine: opening(chain), openInside: `${opening(chain)}${furtherLine(chain)}    `, close: '' }
  }
  const line = lineOf(node)
  const indent = ' '.repeat(startOf(node) - contentStart(parsed, line, chain.length))
  const head = parsed.text.slice(startOf(node), lineEnd(parsed, line)).trimEnd()
  const openLine = `${opening(chain)}${furtherLine(chain)}${indent}${head}\n`
  const before = `${furtherLine(chain)}${indent}`
  return {
    openLine,
    openInside: openLine + before,
    close: `\n${before}${mark}`,
    firstLine: line + 1,
    lastLine: isClosed(parsed, node, mark) ? lastLineOf(node) - 1 : lastLineOf(node),
  }
}

/** Whether the fence ends before the text does. */
function isClosed(parsed: Parsed, node: Code, mark: string): boolean {
  const source = sourceOf(parsed, node)
  const last = source.slice(source.lastIndexOf('\n') + 1).replace(/^[ \t>]*/, '')
  return (
    source.includes('\n') && last.startsWith(mark) && last.trimEnd() === (mark[0] ?? '').repeat(last.trimEnd().length)
  )
}

/** What closes a fence that the text leaves open, or nothing. */
export function missingFence(parsed: Parsed, leaf: Leaf | undefined): string {
  if (leaf?.node.type !== 'code') return ''
  const mark = fence.exec(sourceOf(parsed, leaf.node))?.[0]
  if (mark === undefined || isClosed(parsed, leaf.node, mark)) return ''
  return frameOf(parsed, leaf).close
}

function tableFrame(parsed: Parsed, { chain }: Leaf, node: Table): Omit<Frame, 'lastLine'> {
  const line = lineOf(node)
  const row = (at: number) =>
    `${furtherLine(chain)}${parsed.text.slice(contentStart(parsed, at, chain.length), lineEnd(parsed, at)).trim()}\n`
  const head = opening(chain) + row(line) + row(line + 1)
  return { openLine: head, openInside: head + furtherLine(chain), close: ' |', firstLine: line + 2, cells: true }
}

function headingFrame(parsed: Parsed, { chain }: Leaf, node: Heading): Omit<Frame, 'firstLine'> {
  const source = sourceOf(parsed, node)
  if (source.startsWith('#')) {
    const openInside = `${openingLine(chain)}${'#'.repeat(node.depth)} `
    return { openLine: undefined, openInside, close: '', lastLine: lastLineOf(node) }
  }
  const underline = source.slice(source.lastIndexOf('\n') + 1).replace(/^[ \t>]*/, '')
  const close = `\n${furtherLine(chain)}${underline.trim()}`
  return { openLine: undefined, openInside: openingLine(chain), close, lastLine: lastLineOf(node) - 1 }
}
