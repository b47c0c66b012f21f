import type { ContextActionsBlock } from '@slack/types'
import type { Content, OutgoingFile } from '../../platform.ts'
import { answerFile } from '../../words/answer-file.ts'
import { endWords } from '../../words/turn-words.ts'
import { chatWords } from '../../words/words.ts'
import { actions } from '../cards/action-ids.ts'
import { approvalBlocks, approvalTitle } from '../cards/approval.ts'
import { plain } from '../cards/elements.ts'
import { outcomeWords } from '../cards/outcome.ts'
import { questionBlocks } from '../cards/question.ts'
import type { Piece } from '../text/piece.ts'
import { sizeOf } from '../text/size.ts'
import { firstMessage, mostText, slackMessages } from '../text/slack-messages.ts'
import { textsIn } from '../text/texts-in-blocks.ts'
import { slackWords } from '../words/words.ts'
import type { FilesPage, MessagePage, Page } from './page.ts'
import { pingBlock, pingMarks } from './ping-marks.ts'
import { planOf } from './plan.ts'
import { alarmPiece, notification, notificationOf, remarkPiece } from './remarks.ts'

type Answer = Extract<Content, { kind: 'answer' }>
type Card = Extract<Content, { kind: 'card' }>
type Ended = Extract<Content, { kind: 'record' }>

/** The most files that Slack shares in one message. */
const mostFiles = 10

/** How something looks in Slack: one page for each message. */
export function pagesOf(content: Content, mostMessages: number): Page[] {
  if (content.kind === 'card') return [cardPage(content)]
  if (content.kind === 'files') return filePages(content.files).map((page) => ({ ...page, again: true }))
  return content.kind === 'record' ? recordPages(content) : answerPages(content, mostMessages)
}

const feedback: ContextActionsBlock = {
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: actions.feedback,
      positive_button: {
        text: plain(chatWords.good(), 75),
        value: 'good',
        accessibility_label: slackWords.goodLabel(),
      },
      negative_button: {
        text: plain(chatWords.bad(), 75),
        value: 'bad',
        accessibility_label: slackWords.badLabel(),
      },
    },
  ],
}

/** What notifications say about a message: the beginning of its own text. */
function beginningOf(pieces: Piece[]): string {
  const words = pieces.find((piece) => piece.kind === 'markdown')
  if (words !== undefined) return notificationOf(words.text)
  return notification(pieces.flatMap((piece) => (piece.kind === 'block' ? [...textsIn(piece.block)] : [])).join(' '))
}

const messagePage = (
  of: MessagePage['of'],
  text: string,
  pieces: Piece[],
  rest: Partial<MessagePage> = {},
): MessagePage => ({
  kind: 'message',
  of,
  text: rest.ping ? `${rest.ping} ${text}` : text,
  plan: undefined,
  pieces,
  tail: [],
  session: 'active',
  ...rest,
})

function answerPages({ text, files, record, ping = [] }: Answer, mostMessages: number): Page[] {
  const whole = withFewTables(text, mostMessages)
  const tooLong = isSurelyTooLong(text, mostMessages) || whole.length > mostMessages
  const told = tooLong ? [[...(whole[0] ?? []), remarkPiece(slackWords.answerAttached())]] : whole
  const attached = tooLong ? [answerFile(text), ...files] : files
  const first = told[0] ?? namesOf(attached)
  const alarm = record?.alarm === undefined ? [] : [alarmPiece(record.alarm)]
  const called = pingBlock(ping)
  const pinged: Piece[] = called === undefined ? [] : [{ kind: 'block', block: called }]
  const messages = [[...pinged, ...alarm, ...first], ...told.slice(1)]
  const plan = record && planOf(record)
  const pages = messages.map((pieces, place) =>
    messagePage('answer', beginningOf(told[place] ?? first), pieces, {
      plan: place === 0 ? plan : undefined,
      ping: place === 0 ? pingMarks(ping) : '',
      // Only the answers of turns get feedback buttons.
      tail: record !== undefined && place === messages.length - 1 ? [feedback] : [],
    }),
  )
  return [...pages, ...filePages(attached)]
}

/** Each native table takes a message of its own: if that makes too many, only the first one stays native. */
function withFewTables(text: string, mostMessages: number): Piece[][] {
  if (isSurelyTooLong(text, mostMessages)) return slackMessages(text.slice(0, mostText * 2))
  const native = slackMessages(text)
  return native.length <= mostMessages || !text.includes('|') ? native : slackMessages(text, 1)
}

/** A longer text isn't split first, which takes time: only its beginning is shown. */
const isSurelyTooLong = (text: string, mostMessages: number): boolean => sizeOf(text) > mostText * mostMessages * 1.3

/** Without text, files announce themselves. */
const namesOf = (files: OutgoingFile[]): Piece[] => [
  remarkPiece(files.length === 0 ? chatWords.done() : `📎 ${files.map(({ name }) => name).join(', ')}`),
]

function filePages(files: OutgoingFile[]): FilesPage[] {
  const pages: FilesPage[] = []
  for (let at = 0; at < files.length; at += mostFiles) {
    pages.push({ kind: 'files', files: files.slice(at, at + mostFiles) })
  }
  return pages
}

/** What a message had shown when its turn ended without an answer. */
function recordPages({ record }: Ended): Page[] {
  const plan = planOf(record)
  const last = record.parts.at(-1)
  const words = last?.kind === 'text' ? firstMessage(last.text) : []
  const end = endWords(record)
  const alarm = record.alarm === undefined ? [] : [alarmPiece(record.alarm)]
  const pieces = [...alarm, ...words, ...(end === undefined ? [] : [remarkPiece(end)])]
  if (plan === undefined && pieces.length === 0) return []
  const session = record.state === 'waiting' ? 'suspended' : 'active'
  return [messagePage('record', notification(end ?? plan?.title ?? '…'), pieces, { plan, session })]
}

function cardPage({ request }: Card): Page {
  const blocks = request.kind === 'approval' ? approvalBlocks(request) : questionBlocks(request)
  const asked = request.kind === 'approval' ? approvalTitle(request) : request.payload.question
  const text = request.state === 'pending' ? asked : `${asked} ${outcomeWords(request)}`
  return messagePage(
    'card',
    notification(text),
    blocks.map((block) => ({ kind: 'block', block })),
  )
}
