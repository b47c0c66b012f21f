import type { RichTextBlock, RichTextElement } from '@slack/types'
import type { Request } from '../../../domain/request.ts'
import { outcomeOf } from '../../words.ts'
import { lines, words } from './text.ts'

const stamp = (ms: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(ms / 1_000),
  format: '{date_short_pretty}, {time}',
  fallback: new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
})

/** Who decided what and when, where the buttons were. Names stand there plainly: nobody is rung. */
export function outcomeBlock(request: Request): RichTextBlock | undefined {
  const outcome = outcomeOf(request)
  if (outcome === undefined) return undefined
  const { mark, what, detail, by, at } = outcome
  const who = by === undefined ? [] : [words(` by ${by.name}`)]
  const when = at === undefined ? [] : [words(' · '), stamp(at)]
  const decided = [words(`${mark} `), words(what, { bold: true }), ...who, ...when]
  return detail === undefined ? lines(decided) : lines(decided, [words('\n'), words(detail)])
}

/** The same in one plain line. */
export function outcomeWords(request: Request): string {
  const outcome = outcomeOf(request)
  if (outcome === undefined) return 'Nobody has decided yet.'
  const { what, by, detail } = outcome
  return `${what}${by === undefined ? '' : ` by ${by.name}`}${detail === undefined ? '' : `: ${detail}`}`
}

/** For who clicks when it is decided. */
export const tooLateWords = (request: Request): string => `That came too late. ${outcomeWords(request)}`

/** When it is decided without anybody: shown while it waits. */
export function deadlineBlock({ deadlineAt, payload }: Request): RichTextBlock | undefined {
  if (deadlineAt === undefined) return undefined
  const chosen = 'default' in payload ? payload.default : undefined
  const option = 'options' in payload ? payload.options.find(({ id }) => id === chosen)?.label : undefined
  const then = chosen === undefined ? 'it goes on without an answer' : `“${option ?? chosen}” is taken`
  return lines([words('Until ', { italic: true }), stamp(deadlineAt), words(`; then ${then}.`, { italic: true })])
}
