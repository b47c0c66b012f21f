import type { PlainTextOption, RichTextBlock } from '@slack/types'
import type { QuestionOption } from '../../../domain/question.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { chatWords } from '../../words/words.ts'
import { bullets, plain, words } from './elements.ts'

export const mostBoxes = 10
export const mostInMenu = 100

const longestLabel = 150

export const optionNotes = ({ description, estimated_time, estimated_cost, recommended }: QuestionOption): string[] =>
  [recommended ? 'recommended' : undefined, description, estimated_time, estimated_cost].flatMap((note) => note || [])

const joinedNotes = (option: QuestionOption): string => optionNotes(option).join(' · ')

const noteOf = (option: QuestionOption, longest: number): string =>
  optionNotes(option)
    .map((note) => ` · ${oneLine(note, longest)}`)
    .join('')

/** Options with their descriptions, as far as `most` characters allow. */
export function optionList(options: QuestionOption[], most: number): RichTextBlock[] {
  const shown: [string, string][] = []
  let left = most
  for (const option of options) {
    const label = oneLine(option.label, longestLabel) || ' '
    const note = noteOf(option, 300)
    left -= label.length + note.length + 1
    if (left < 0) break
    shown.push([label, note])
  }
  const missing = options.length - shown.length
  const rows = shown.map(([label, note]) => [words(label, { bold: true }), ...(note === '' ? [] : [words(note)])])
  const all = missing === 0 ? rows : [...rows, [words(chatWords.andMore({ count: missing }))]]
  return all.length === 0 ? [] : [bullets(all)]
}

const longestInMenu = 75

/** Of a label, and of its notes, in a menu of a message that holds `most` characters of all these options. */
export const longestOfEach = (options: QuestionOption[], most: number): number =>
  Math.min(longestInMenu, Math.floor(most / options.length / 2))

/** Whether a menu leaves out a part of its label or notes. */
export const isCutInMenu = (option: QuestionOption, longest: number): boolean =>
  option.label.length > longest || joinedNotes(option).length > longest

/** `value`: what Slack sends back for it. */
export function menuOption(option: QuestionOption, value: string, longest = longestInMenu): PlainTextOption {
  const note = joinedNotes(option)
  return {
    text: plain(option.label, longest),
    value,
    ...(note === '' ? {} : { description: plain(note, longest) }),
  }
}
