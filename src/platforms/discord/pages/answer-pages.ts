import type { Content, OutgoingFile } from '../../platform.ts'
import { chatWords } from '../../words/words.ts'
import { inlineCode } from '../text/plain.ts'
import { answerPieces } from './answer-pieces.ts'
import type { Page } from './page.ts'
import { pingMarks, ringsOf } from './ping-marks.ts'
import { planPage, recordHead } from './record-page.ts'

type Answer = Extract<Content, { kind: 'answer' }>
type TextPage = Extract<Page, { kind: 'text' }>

/** Discord's limits without a paid plan: for a file, and for all files of a message. */
const largestFile = 10 * 1024 * 1024
const largestRequest = 25 * 1024 * 1024
const mostFiles = 10

/**
 * What was done, the answer, its files, in as few messages as possible. A work plan keeps the message in which it ran:
 * nothing but components can replace it, and people search for and copy answers.
 */
export function answerPages(answer: Answer, mostMessages: number): Page[] {
  const { record } = answer
  if (record?.plan === undefined) return textPages(answer, mostMessages)
  return [planPage(record, record.plan, ''), ...textPages({ ...answer, record: undefined }, mostMessages)]
}

function textPages({ text, files, record, ping = [] }: Answer, mostMessages: number): Page[] {
  const fitting = files.filter(({ size }) => size <= largestFile)
  const large = files.filter(({ size }) => size > largestFile)
  const said = [text.trim(), ...large.map(tooLarge)].filter((part) => part !== '').join('\n\n')
  const rings = ringsOf(ping)
  const head = lines(record === undefined ? '' : recordHead(record), pingMarks(rings))
  const { pieces, whole } = answerPieces(said, head, mostMessages)
  const [first = '', ...others] = pieces
  const pages = [{ ...textPage(lines(head, first)), ...(ping.length > 0 && { rings }) }, ...others.map(textPage)]
  return withFiles(pages, [...whole, ...fitting])
}

const lines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n')

const textPage = (content: string): TextPage => ({ kind: 'text', content, files: [] })

const tooLarge = ({ name, size }: OutgoingFile): string =>
  chatWords.fileTooLargeForDiscord({ name: inlineCode(name), size: Math.ceil(size / 1024 / 1024) })

/** The files go with the last message, as far as they fit; the others get messages of their own. */
function withFiles(pages: TextPage[], files: OutgoingFile[]): Page[] {
  const [first = [], ...others] = groupsOf(files)
  const last = pages.at(-1) ?? textPage('')
  const all = [
    ...pages.slice(0, -1),
    { ...last, files: first },
    ...others.map((group) => ({ ...textPage(''), files: group })),
  ]
  return all.map((page) => (page.content === '' && page.files.length === 0 ? { ...page, content: '-# Done.' } : page))
}

/** Another attempt at files that an answer should have carried. */
export const filePages = (files: OutgoingFile[]): Page[] =>
  groupsOf(files).map((group) => ({ ...textPage(''), files: group, again: true }))

/** As many as fit into one message each. */
function groupsOf(files: OutgoingFile[]): OutgoingFile[][] {
  const groups: OutgoingFile[][] = []
  for (const file of files) {
    const group = groups.at(-1)
    const size = group?.reduce((sum, one) => sum + one.size, 0) ?? 0
    if (group !== undefined && group.length < mostFiles && size + file.size <= largestRequest) group.push(file)
    else groups.push([file])
  }
  return groups
}
