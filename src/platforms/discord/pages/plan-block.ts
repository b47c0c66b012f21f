import type { PlannedStep, PlanView, TurnView } from '../../../domain/turn-view.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { lastLines } from '../../words/last-lines.ts'
import { planLine, todoMarks } from '../../words/turn-words.ts'
import { type CardContainer, colors, container, line, text } from '../cards/elements.ts'
import { plain } from '../text/plain.ts'
import { lastPiece } from './last-piece.ts'

/** The most characters of each part: with three bytes each, they are as much as Discord takes of components. */
export const planRoom = { head: 600, steps: 1_500, said: 1_100 }

const lineLook = { longest: 70, clean: (words: string) => visible(words.replace(/\p{Cc}/gu, ' ')) }

/**
 * A work plan as a block that stands apart from text and needs no permission of its own. `head`: small print about the
 * rest of the turn, at most `planRoom.head`. `said`: what the turn says beside it.
 */
export function planBlock(plan: PlanView, state: TurnView['state'], head: string, said: string): CardContainer {
  const title = `**${plain(planLine(plan))}**`
  const words = said === '' ? '' : lastPiece(said, planRoom.said)
  return container(colorOf(plan, state), [
    text([title, ...stepLines(plan.steps, state === 'running')].join('\n')),
    ...(head === '' ? [] : [text(head)]),
    ...(words === '' ? [] : [line(), text(words)]),
  ])
}

function stepLines(steps: PlannedStep[], goesOn: boolean): string[] {
  const lines: string[] = []
  let left = planRoom.steps
  for (const [place, step] of steps.entries()) {
    const words = stepWords(step, goesOn)
    left -= words.length + 1
    if (left < 0) return [...lines, `… ${steps.length - place} more`]
    lines.push(words)
  }
  return lines
}

function stepWords({ content, status, output = '' }: PlannedStep, goesOn: boolean): string {
  const runs = status === 'in_progress' && goesOn
  const mark = status === 'in_progress' && !runs ? todoMarks.pending : todoMarks[status]
  const words = `${mark} ${plain(oneLine(content, 90))}`
  const last = runs ? lastLines(output, lineLook).split('\n').at(-1) : undefined
  return last ? `${words}\n-# ${plain(last)}` : words
}

function colorOf({ steps }: PlanView, state: TurnView['state']): number {
  if (steps.some(({ status }) => status === 'failed')) return colors.red
  if (steps.every(({ status }) => status === 'completed')) return colors.green
  return state === 'running' ? colors.blue : colors.grey
}
