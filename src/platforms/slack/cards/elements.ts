import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
} from '@slack/types'
import type { Person } from '../../../domain/chat.ts'
import { cutText } from '../../../kit/markdown/segments.ts'
import { oneLine, plainName } from '../../../kit/text/text.ts'
import { chatWords } from '../../words/words.ts'

// Everything here is literal: what a model or a person wrote is shown as it is and notifies nobody.

/** Slack accepts no empty texts. */
const nothing = '–'

export const cut = (text: string, most: number): string => {
  if (text === '') return nothing
  return text.length <= most ? text : `${cutText(text, most - 1)}…`
}

/** Names are plain text here: nobody is notified. */
export const nameOf = ({ name }: Person): string => oneLine(plainName(name), 60)

export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: cut(text.trim(), most),
  emoji: false,
})

export const words = (text: string, style?: { bold?: boolean; italic?: boolean; code?: boolean }): RichTextElement => ({
  type: 'text',
  text: cut(text, 2_900),
  ...(style === undefined ? {} : { style }),
})

/** Each one as code, cut to this length; if there are more than `most`, the number of the rest. */
export function codes(all: string[], most: number, longest: number): RichTextElement[] {
  const shown = all
    .slice(0, most)
    .flatMap((one, place) => [...(place === 0 ? [] : [words(', ')]), words(cut(one, longest), { code: true })])
  return all.length <= most ? shown : [...shown, words(` ${chatWords.andMore({ count: all.length - most })}`)]
}

export const bullets = (all: RichTextElement[][]): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: all.map((elements) => ({ type: 'rich_text_section', elements })),
    },
  ],
})

/** Lines of literal text, each made of its parts. */
export const lines = (...all: RichTextElement[][]): RichTextBlock => ({
  type: 'rich_text',
  elements: all.map((elements) => ({ type: 'rich_text_section', elements })),
})

export const preformatted = (text: string, most: number): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: cut(text, most) }] }],
})

export const remark = (...parts: string[]): ContextBlock => ({
  type: 'context',
  elements: parts.map((part) => plain(part, 1_000)),
})

export interface ButtonLook {
  style?: 'primary' | 'danger' | undefined
  /** Asked before the click counts. */
  confirm?: ConfirmationDialog | undefined
}

export const button = (
  action_id: string,
  label: string,
  value: string,
  { style, confirm }: ButtonLook = {},
): Button => ({
  type: 'button',
  action_id,
  text: plain(label, 75),
  value,
  ...(style === undefined ? {} : { style }),
  ...(confirm === undefined ? {} : { confirm }),
})

export const buttons = (...elements: ActionsBlock['elements']): ActionsBlock => ({ type: 'actions', elements })
