import type { RichTextBlock, RichTextElement } from '@slack/types'
import type { Request } from '../../../domain/request.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { alwaysOf, namesOf, scopeWords, thenWords } from '../../words/approval-words.ts'
import { outcomeOf, type Said } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { slackWords } from '../words/words.ts'
import { codes, cut, lines, nameOf, words } from './elements.ts'

export const stamp = (ms: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(ms / 1_000),
  format: '{date_short_pretty}, {time}',
  fallback: new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
})

const saidLine = ({ label, text }: Said): string =>
  label === undefined ? text : `${oneLine(label, 200)}${/[:?]\s*$/.test(label) ? '' : ':'} ${cut(text, 1_000)}`

/** What is allowed from now on, where and for how long. */
function grantLine(request: Request): RichTextElement[] | undefined {
  const always = request.kind === 'approval' ? alwaysOf(request) : undefined
  if (always === undefined) return undefined
  const { patterns, closed, scope, until } = always
  const what =
    patterns === undefined
      ? [words(chatWords.exactlyThis())]
      : closed
        ? [words(patterns.join(', '))]
        : codes(patterns.map(visible), 5, 300)
  const end = until === undefined ? [words(', until revoked')] : [words(', until '), stamp(until)]
  return [words('Always: '), ...what, words(`, ${scopeWords(scope, 'workspace')}`), ...end]
}

/** Who decided what and when, in place of the buttons. */
export function outcomeBlock(request: Request): RichTextBlock | undefined {
  const outcome = outcomeOf(request)
  if (outcome === undefined) return undefined
  const { mark, what, by, at, said } = outcome
  const who = by.length === 0 ? [] : [words(` by ${namesOf(by, nameOf)}`)]
  const when = at === undefined ? [] : [words(' · '), stamp(at)]
  const granted = grantLine(request)
  return lines(
    [words(`${mark} `), words(what, { bold: true }), ...who, ...when],
    ...(granted === undefined ? [] : [[words('\n'), ...granted]]),
    ...said.map((one) => [words('\n'), words(saidLine(one))]),
  )
}

/** The same in one plain line. */
export function outcomeWords(request: Request): string {
  const outcome = outcomeOf(request)
  if (outcome === undefined) return slackWords.undecided()
  const { what, by, said } = outcome
  const who = by.length === 0 ? '' : ` by ${namesOf(by, nameOf)}`
  return `${what}${who}${said.length === 0 ? '' : `: ${said.map(saidLine).join(' · ')}`}`
}

/** When it is decided without anybody: shown while it waits. */
export function deadlineBlock(request: Request): RichTextBlock | undefined {
  const { deadlineAt } = request
  if (deadlineAt === undefined) return undefined
  return lines([
    words('Until ', { italic: true }),
    stamp(deadlineAt),
    words(`; then ${thenWords(request)}.`, { italic: true }),
  ])
}
