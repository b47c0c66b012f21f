import type { PlanView, TurnView } from '../../../domain/turn-view.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { endWords, recordLine, todoMarks } from '../../words/turn-words.ts'
import { plain } from '../text/plain.ts'
import { answerPieces } from './answer-pieces.ts'
import type { Page } from './page.ts'
import { planBlock, planRoom } from './plan-block.ts'

/** The most to-dos that are shown. */
const mostPoints = 8

/** More would leave no room for the rest. */
const mostNotices = 4

/** More small print would leave too little of a message for its content. */
const longestHead = 1_200

/** Small print, a line each, as many as there is room for. */
export function small(lines: (string | undefined)[], room = longestHead): string {
  let head = ''
  for (const line of lines) {
    if (line === undefined || line === '') continue
    const next = `${head === '' ? '' : '\n'}-# ${line}`
    if (head.length + next.length > room) break
    head += next
  }
  return head
}

/** What a turn did, in as few lines as possible. */
export function recordHead(view: TurnView): string {
  const line = recordLine(view)
  return small([alarmWords(view), ...noticeWords(view), line && plain(line), ...todoWords(view)])
}

/** A work plan, as it stands when its message ends. */
export function planPage(view: TurnView, plan: PlanView, said: string): Page {
  const ended = endWords(view)
  const head = [alarmWords(view), ...noticeWords(view), ...todoWords(view), ended && plain(ended)]
  return { kind: 'card', container: planBlock(plan, view.state, small(head, planRoom.head), said) }
}

export const alarmWords = ({ alarm }: TurnView): string | undefined =>
  alarm === undefined ? undefined : `⏰ ${plain(oneLine(alarm, 100))}`

const noticeWords = ({ notices }: TurnView): string[] =>
  notices.slice(0, mostNotices).map((notice) => `⚠ ${plain(oneLine(notice, 250))}`)

export function todoWords({ todos }: TurnView): string[] {
  const points = todos
    .slice(0, mostPoints)
    .map(({ content, status }) => `${todoMarks[status]} ${plain(oneLine(content, 80))}`)
  return todos.length > mostPoints ? [...points, `… ${todos.length - mostPoints} more`] : points
}

const recordText = ({ parts }: TurnView): string =>
  parts.flatMap((part) => (part.kind === 'text' ? part.text.trim() : [])).join('\n\n')

/** A progress message that ended without an answer; none if it has nothing to show. */
export function recordPages(view: TurnView): Page[] {
  if (view.plan !== undefined) return [planPage(view, view.plan, recordText(view))]
  const ended = endWords(view)
  const head = [recordHead(view), ended === undefined ? '' : small([plain(ended)])].filter(Boolean).join('\n')
  const { pieces, whole } = answerPieces(recordText(view), head, 1)
  const content = [head, ...pieces].filter(Boolean).join('\n')
  return content === '' ? [] : [{ kind: 'text', content, files: whole }]
}
