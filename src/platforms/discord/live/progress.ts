import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js'
import type { TurnView } from '../../../domain/turn-view.ts'
import { visible } from '../../../kit/text/text.ts'
import { lastLines } from '../../words/last-lines.ts'
import { type CallPart, callMarks, callsOf, callWords } from '../../words/turn-words.ts'
import { customId } from '../cards/custom-id.ts'
import { roomBelow } from '../pages/answer-pieces.ts'
import { lastPiece } from '../pages/last-piece.ts'
import { planBlock, planRoom } from '../pages/plan-block.ts'
import { alarmWords, small, todoWords } from '../pages/record-page.ts'
import { numberOf } from '../post/marks.ts'
import { type Body, silent } from '../post/message.ts'
import { fenced, plain } from '../text/plain.ts'

/** How many steps are named while a turn is running. */
const mostSteps = 5

/** A running turn in one message; empty if there is nothing to see yet. */
export function progressOf(view: TurnView): string {
  const head = headOf(view)
  const text = lastPiece(lastText(view), roomBelow(head))
  return [head, text].filter((part) => part !== '').join('\n')
}

function headOf(view: TurnView, room?: number): string {
  const warning = view.warning === undefined ? undefined : `⚠ ${plain(view.warning).slice(0, 300)}`
  return small([alarmWords(view), ...stepWords(callsOf(view)), ...todoWords(view), warning], room)
}

const lastText = ({ parts }: TurnView): string => parts.findLast((part) => part.kind === 'text')?.text.trim() ?? ''

function stepWords(calls: CallPart[]): string[] {
  const earlier = calls.length - mostSteps
  const printing = calls.filter(({ status }) => status === 'running').slice(-mostPrinting)
  const steps = calls.slice(-mostSteps).map((call) => {
    const words = `${callMarks[call.status]} ${plain(callWords(call))}`
    const output = printing.includes(call) ? lastLines(call.output ?? '', lineLook) : ''
    return output === '' ? words : `${words}\n${fenced(output, '')}`
  })
  return earlier > 0 ? [`… ${earlier} earlier ${earlier === 1 ? 'step' : 'steps'}`, ...steps] : steps
}

/** The most calls whose output is shown, and the length of each line, with invisible characters shown as numbers. */
const mostPrinting = 2
const lineLook = { longest: 70, clean: (line: string) => visible(line.replace(/\p{Cc}/gu, ' ')) }

/** The progress message, with a button that stops the turn; undefined if there is nothing to see yet. `patience`: what
 * is shown then. */
export function progressBody(view: TurnView, key: string, patience: () => string): Body | undefined {
  const stop = {
    type: ComponentType.Button as const,
    style: ButtonStyle.Secondary as const,
    label: 'Stop',
    custom_id: customId('stop', view.turn),
  }
  const row = { type: ComponentType.ActionRow as const, id: numberOf(key), components: [stop] }
  if (view.plan !== undefined) {
    const head = headOf(view, planRoom.head)
    const components = [planBlock(view.plan, view.state, head, lastText(view)), row]
    return { json: { components, allowed_mentions: silent, flags: MessageFlags.IsComponentsV2 }, files: [] }
  }
  const content = progressOf(view) || patience()
  if (content === '') return undefined
  const flags = MessageFlags.SuppressEmbeds as const
  return { json: { content, components: [row], allowed_mentions: silent, flags }, files: [] }
}
