import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js'
import type { TurnView } from '../../../domain/turn-view.ts'
import { visible } from '../../../kit/text/text.ts'
import { lastLines } from '../../words/last-lines.ts'
import { type CallPart, callMarks, callsOf, callWords } from '../../words/turn-words.ts'
import { customId } from '../cards/custom-id.ts'
import { roomBelow } from '../pages/answer-pieces.ts'
import { alarmWords, planWords, small } from '../pages/record-page.ts'
import { numberOf } from '../post/marks.ts'
import { type Body, silent } from '../post/message.ts'
import { discordMessages } from '../text/discord-messages.ts'
import { fenced, plain } from '../text/plain.ts'

/** How many steps are named while a turn is running. */
const mostSteps = 5

/** A running turn in one message; empty if there is nothing to see yet. */
export function progressOf(view: TurnView): string {
  const warning = view.warning === undefined ? undefined : `⚠ ${plain(view.warning).slice(0, 300)}`
  const head = small([alarmWords(view), ...stepWords(callsOf(view)), ...planWords(view), warning])
  const last = view.parts.findLast((part) => part.kind === 'text')?.text.trim() ?? ''
  const text = lastPiece(last, roomBelow(head))
  return [head, text].filter((part) => part !== '').join('\n')
}

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

/** If a text is long, the message that it has reached, as it will look if it becomes the answer. */
function lastPiece(text: string, room: number): string {
  const end = endOf(text)
  const pieces = discordMessages(end, room - 4)
  const last = pieces.at(-1) ?? ''
  return pieces.length > 1 || end.length < text.length ? `…\n\n${last}` : last
}

/** How much is read each time something is shown: splitting a long text again and again takes time. */
const mostShown = 6_000

/** The end of a long text, from a line on; inside a code block, with its fence. */
function endOf(text: string): string {
  if (text.length <= mostShown) return text
  const line = text.indexOf('\n', text.length - mostShown)
  const start = line === -1 ? text.length - mostShown : line + 1
  const fences = text.slice(0, start).match(/^ {0,3}```/gm)?.length ?? 0
  return (fences % 2 === 1 ? '```\n' : '') + text.slice(start)
}

/** The progress message, with a button that stops the turn. */
export function progressBody(content: string, view: TurnView, key: string): Body {
  const stop = {
    type: ComponentType.Button as const,
    style: ButtonStyle.Secondary as const,
    label: 'Stop',
    custom_id: customId('stop', view.turn),
  }
  const row = { type: ComponentType.ActionRow as const, id: numberOf(key), components: [stop] }
  const flags = MessageFlags.SuppressEmbeds as const
  return { json: { content, components: [row], allowed_mentions: silent, flags }, files: [] }
}
