import type { Message } from '../../domain/messages.ts'
import { notThePrograms, ofOneMessage, withoutReminders } from '../../kit/text/marks.ts'
import { plainName } from '../../kit/text/text.ts'
import { isSummary } from '../../turn/port/history.ts'

/** How much of a call's arguments or of a result is shown, in characters: if everything fits, and at least. */
const most = 2_000
const least = 100

/** What follows on its line may be the middle of a message. */
const leftOut = '[The beginning is left out.] […] '

/**
 * Messages as a text to be summarised, of at most about this many characters. A summary of what came before them stands
 * in front, whole: of that beginning, nothing else is left. Of the rest, long parts are cut first.
 */
export function transcript(messages: readonly Message[], characters: number): string {
  const summaries = messages.filter(isSummary)
  if (summaries.length === 0) return fitted(messages, characters)
  const front = cutMiddle(summaries.map(whole).join('\n\n'), Math.floor(characters / 2))
  const rest = messages.filter((message) => !isSummary(message))
  return `${front}\n\n${fitted(rest, characters - front.length - 2)}`
}

function fitted(messages: readonly Message[], characters: number): string {
  let text = ''
  for (let each = most; each >= least; each /= 2) {
    text = messages.map((message) => line(message, each)).join('\n\n')
    if (text.length <= characters) return text
  }
  // What was said last matters most.
  return leftOut + text.slice(text.length - Math.max(0, characters - leftOut.length))
}

const whole = (message: Message): string => line(message, Number.POSITIVE_INFINITY)

function line(message: Message, each: number): string {
  if (message.role === 'tool') return entry(message, cutMiddle(message.text, each))
  if (message.role === 'assistant') {
    const calls = message.calls.map((call) => `${call.name}(${cutMiddle(call.arguments, each)})`)
    return entry(message, [cutMiddle(message.text, each * 2), ...calls].join('\n'))
  }
  const files = message.files.map(({ path }) => path)
  const named = files.length === 0 ? [] : [`Files: ${files.join(', ')}`]
  return entry(message, [cutMiddle(message.text, each * 4), ...named].join('\n'))
}

/** One message among others. Nothing in its text passes for another one. */
export const entry = (message: Message, text: string): string =>
  `${headOf(message)}: ${withoutReminders(notThePrograms(ofOneMessage(text)))}`

/** Its number, and whose words it has. */
export const headOf = (message: Message): string => `#${message.seq} ${speaker(message)}`

function speaker(message: Message): string {
  if (message.role === 'tool') return 'Result'
  if (message.role === 'assistant') return 'Bobbin'
  if (message.origin === 'seen') return 'Image description'
  return message.person === undefined ? 'The program' : plainName(message.person.name)
}

export function cutMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const half = Math.floor(characters / 2)
  return `${text.slice(0, half)} […] ${text.slice(-half)}`
}
