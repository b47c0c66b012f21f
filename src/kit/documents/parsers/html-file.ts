import { oneLine } from '../../text/text.ts'
import { type Parser, Parts } from '../parse.ts'
import { sectionsOf } from './docx/sections.ts'
import { decodedPage } from './html/decode.ts'
import { resolveEntities } from './html/entities.ts'
import { markdownOfHtml } from './html.ts'
import { blocksOfMarkdown } from './text/blocks.ts'

/** More of a page is mostly scripts and pictures in it: as measured, this takes less than a second. */
const mostCharacters = 40_000_000

/** A saved web page: all of its text, divided at its headings. Scripts don't run and nothing is fetched. */
export const parseHtmlFile: Parser = async ({ bytes }, limits) => {
  const html = decodedPage(bytes.subarray(0, mostCharacters), undefined)
  const parts = new Parts(limits)
  for (const section of sectionsOf(blocksOfMarkdown(markdownOfHtml(html)))) if (!parts.add(section)) break
  const title = titleOf(html)
  const notes = [
    title === '' ? '' : `Its title is "${title}".`,
    'Its text is shown; `raw` shows its source.',
    ...parts.emptiness(),
    ...parts.notes(),
    bytes.length > mostCharacters ? 'It is too large to read completely: the rest was left out.' : '',
  ]
  return { kind: 'html', notes: notes.filter(Boolean), parts: parts.list }
}

/** Where a title stands, if there is one. */
const headCharacters = 100_000

function titleOf(html: string): string {
  const title = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(html.slice(0, headCharacters))?.[1] ?? ''
  return oneLine(resolveEntities(title), 200)
}
