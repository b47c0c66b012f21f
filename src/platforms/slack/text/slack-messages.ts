import type { TableBlock } from '@slack/types'
import type { Table } from 'mdast'
import { imagesToLinks, withoutReferences } from '../../../kit/markdown/images.ts'
import { honestLinks } from '../../../kit/markdown/links.ts'
import { lastLineOf, lineEnd, lineOf } from '../../../kit/markdown/parse.ts'
import { type NodePlace, parsedParts, type Rule, rewritten, unparsed } from '../../../kit/markdown/rewrite.ts'
import { splitMarkdown } from '../../../kit/markdown/split.ts'
import { tableText } from '../../../kit/markdown/tables.ts'
import type { Piece } from './piece.ts'
import { sizeOf } from './size.ts'
import { sizeOfTable, tableBlocks } from './tables.ts'
import { withoutPings } from './without-pings.ts'

/**
 * For all text in a message, in bytes. Slack accepts 12,000 characters of Markdown, 10,000 in a table, and some 13,200
 * in all, including what stands around an answer (slackapi/bolt-js#2509).
 */
export const mostText = 9_800
/** Nobody reads a wider code block. */
const widestCode = 300

type Part = { kind: 'text'; text: string } | { kind: 'table'; blocks: TableBlock[] }

/**
 * A model's Markdown, as Slack shows it: a list for each message, with at most one table in it. Beyond `nativeTables`,
 * tables become code blocks, which take no messages of their own.
 */
export function slackMessages(markdown: string, nativeTables = Number.POSITIVE_INFINITY): Piece[][] {
  const messages: Message[] = []
  for (const part of textsAndTables(withoutPings(markdown.trim()), nativeTables)) {
    if (part.kind === 'text') addText(messages, part.text)
    else for (const block of part.blocks) addTable(messages, block)
  }
  return messages.map(({ pieces }) => pieces)
}

/** The same, as far as it fits into one message. */
export const firstMessage = (markdown: string): Piece[] => slackMessages(markdown.slice(0, mostText * 2))[0] ?? []

interface Message {
  pieces: Piece[]
  /** In bytes. */
  left: number
  hasTable: boolean
}

function addText(messages: Message[], text: string): void {
  const size = sizeOf(text)
  const last = messages.at(-1)
  if (last && size <= last.left) {
    last.pieces.push({ kind: 'markdown', text })
    last.left -= size
    return
  }
  // Text that fits stays as it is: while it is being written, a fence at its end isn't closed yet.
  const pieces = size <= mostText ? [text] : splitMarkdown(text, { characters: mostText, measure: sizeOf })
  for (const piece of pieces) {
    messages.push({ pieces: [{ kind: 'markdown', text: piece }], left: mostText - sizeOf(piece), hasTable: false })
  }
}

function addTable(messages: Message[], block: TableBlock): void {
  const size = sizeOfTable(block)
  const last = messages.at(-1)
  if (last && !last.hasTable && size <= last.left) {
    last.pieces.push({ kind: 'block', block })
    last.left -= size
    last.hasTable = true
    return
  }
  messages.push({ pieces: [{ kind: 'block', block }], left: mostText - size, hasTable: true })
}

/** A picture, a link, what defines one, or a table; without any, it isn't parsed, which takes time. */
const special = /!\[|\]\(|\]\[|\]:|^(?=.*\|)(?=.*-)|^[ \t>]*:?-+:?[ \t]*$/m

/** Text and tables in order. */
function textsAndTables(markdown: string, nativeTables: number): Part[] {
  let tables = 0
  const parts: Part[] = []
  let text = ''
  const endText = () => {
    const said = withoutPings(text)
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd()
    if (said !== '') parts.push({ kind: 'text', text: said })
    text = ''
  }
  for (const parsed of special.test(markdown) ? parsedParts(markdown) : [unparsed(markdown)]) {
    let at = 0
    if (parsed.root.children.length === 0) {
      text += untabled(parsed.text)
      continue
    }
    for (const node of parsed.root.children) {
      const blocks =
        node.type === 'table' && tables < nativeTables
          ? tableBlocks(withoutReferences(parsed.root, node), mostText)
          : undefined
      if (!blocks) continue
      tables++
      text += rewritten(parsed, asSlack, at, parsed.lines[lineOf(node)])
      endText()
      parts.push({ kind: 'table', blocks })
      at = Math.min(lineEnd(parsed, lastLineOf(node)), parsed.text.length)
    }
    text += rewritten(parsed, asSlack, at)
  }
  endText()
  return parts
}

/** Text that isn't parsed, without what Slack would take for a second table of a message, or for a picture. */
const untabled = (text: string): string =>
  text.replaceAll('![', '[').replace(/^[ \t>]*(?=[|:-][ \t|:-]*$)(?=.*-)/gm, (indent) => `${indent}\\`)

const asSlack: Rule = (node, place) =>
  node.type === 'table' ? asCode(node, place) : (honestLinks(node, place) ?? imagesToLinks(node, place))

/** A table that can't be one of Slack's: in a list, or too wide. */
const asCode = (table: Table, place: NodePlace): string =>
  tableText(table, place, widestCode).join(`\n${place.further}`)
