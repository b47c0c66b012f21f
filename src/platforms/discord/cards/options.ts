import type { QuestionOption } from '../../../domain/question.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { cutTo } from '../text/cut.ts'
import { plain } from '../text/plain.ts'

/** What is known about an option besides its name: what it means, how long it takes, what it costs. */
export const optionNotes = ({ description, estimated_time, estimated_cost }: QuestionOption): string =>
  [description, estimated_time, estimated_cost].filter(Boolean).join(' · ')

/** An option of a list; its value is its position, since its own id may be long. */
export function listOption(option: QuestionOption, place: number) {
  const words = oneLine([option.recommended ? 'recommended' : '', optionNotes(option)].filter(Boolean).join(' · '), 100)
  return { label: oneLine(option.label, 100) || '?', value: String(place), ...(words !== '' && { description: words }) }
}

/** All options with what is known about them, a line each. */
export function optionWords(options: QuestionOption[], characters: number): string {
  const each = Math.max(Math.floor((characters - 100) / options.length), 60)
  const words = options.map((option) => {
    const details = optionNotes(option)
    const recommended = option.recommended ? ' (recommended)' : ''
    return `- **${plain(oneLine(option.label, 100))}**${recommended}${details && ` – ${plain(details)}`}`
  })
  const shown = words.map((one) => cutTo(one, { characters: each, bytes: each * 2.5 })).join('\n')
  return cutTo(shown, { characters, bytes: characters * 2.5 })
}
