import type { TurnView } from '../../../domain/turn-view.ts'
import { cutUtf8 } from '../../../kit/text/text.ts'
import type { MessagePage } from '../pages/page.ts'
import { asTitles, planOf } from '../pages/plan.ts'
import { alarmPiece, notification, notificationOf } from '../pages/remarks.ts'
import type { Piece } from '../text/piece.ts'
import { firstMessage } from '../text/slack-messages.ts'
import type { Shown } from './continuation.ts'
import { mostStreamed, sizeOfPlan } from './stream-size.ts'

/** The most text that is shown while it is written, in bytes: all of it will be in the answer. */
const mostText = 9_000

const longestWord = 80

/** The position of the text that is being written, if there is one. */
export const textBeingWritten = ({ parts }: TurnView): number | undefined =>
  parts.at(-1)?.kind === 'text' ? parts.length - 1 : undefined

/** The texts from this part on. */
function textFrom({ parts }: TurnView, first: number | undefined): string {
  if (first === undefined) return ''
  const texts = parts.slice(first).flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
  return texts.filter((text) => text !== '').join('\n\n')
}

/** How far back an unfinished construct may begin. */
const longestMark = 300

/** The position of a link, picture or mention that has begun and not ended. */
function openMark(text: string): number | undefined {
  const from = Math.max(0, text.length - longestMark)
  const tail = text.slice(from)
  const place = Math.min(...[/<[^>]*$/, /!?\[[^\]]*$/, /!?\[[^\]]*\]\([^)]*$/].map((open) => placeOf(tail, open)))
  return place === Number.POSITIVE_INFINITY ? undefined : from + place
}

function placeOf(text: string, pattern: RegExp): number {
  const place = text.search(pattern)
  return place < 0 ? Number.POSITIVE_INFINITY : place
}

/**
 * Without an ending that may still turn into something else: half a word, half a mention or link, the beginning of a
 * table.
 */
export function settled(text: string): string {
  const end = text.slice(-longestWord).search(/\s\S*$/)
  // If words have no spaces between them, any position will do.
  const words =
    end < 0 && text.length > longestWord ? text : text.slice(0, Math.max(0, text.length - longestWord) + end + 1)
  const rows = words.slice(0, openMark(words)).trimEnd().split('\n')
  while (rows.at(-1)?.includes('|')) rows.pop()
  return rows.join('\n').trimEnd()
}

const alarm = (view: TurnView): Piece[] => (view.alarm === undefined ? [] : [alarmPiece(view.alarm)])

/** What a stream shows of a running turn. `first`: where its text began to be shown. */
export function streamed(view: TurnView, first: number | undefined): Shown {
  const plan = asTitles(planOf(view))
  const room = Math.max(0, Math.min(mostText, mostStreamed - sizeOfPlan(plan)))
  const pieces = firstMessage(settled(cutUtf8(textFrom(view, first), room)))
  // An unfinished table would have to be taken back.
  const firm = pieces.at(-1)?.kind === 'block' ? pieces.slice(0, -1) : pieces
  return { plan, pieces: [...alarm(view), ...firm] }
}

/** The same for a message that is edited: it can take back what it said. */
export function edited(view: TurnView): MessagePage {
  const text = textFrom(view, textBeingWritten(view))
  const beginning = cutUtf8(text, mostText)
  const shown = beginning === text ? text : `${beginning}…`
  const pieces = [...alarm(view), ...firstMessage(shown)]
  const plan = planOf(view)
  return {
    kind: 'message',
    of: 'record',
    text: plan === undefined ? notificationOf(shown) : notification(plan.title),
    plan,
    pieces,
    tail: [],
    session: 'active',
  }
}

/** Whether there is anything worth a message. */
export const isWorthSeeing = (view: TurnView): boolean =>
  planOf(view) !== undefined || view.parts.some((part) => part.kind === 'text' && part.text.trim() !== '')
