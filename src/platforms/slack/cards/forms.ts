import type { Block, InputBlock, KnownBlock, ModalView } from '@slack/types'
import { z } from 'zod'
import type { Request } from '../../../domain/request.ts'
import { readJson } from '../../read-json.ts'
import { toolWords } from '../../words/approval-words.ts'
import { chatWords } from '../../words/words.ts'
import { actions, forms } from './action-ids.ts'
import { alwaysBlocks } from './always-form.ts'
import { answerBlocks } from './answer-form.ts'
import { lines, plain, words } from './elements.ts'

/** Where a form was opened: replies about it go there. */
const origin = z.object({ request: z.string(), channel: z.string(), thread: z.string() })
export type Origin = z.output<typeof origin>

export const originOf = (metadata: string): Origin | undefined => readJson(metadata, origin)

/** Blocks and their fields have the same names. */
export const fields = { words: 'words', reason: 'reason', instead: 'instead' } as const

const paragraph = (name: string, label: string, options: { optional: boolean; focus: boolean }): InputBlock => ({
  type: 'input',
  block_id: name,
  label: plain(label, 150),
  optional: options.optional,
  element: {
    type: 'plain_text_input',
    action_id: name,
    multiline: true,
    max_length: 3_000,
    focus_on_load: options.focus,
  },
})

const modal = (
  callback: string,
  title: string,
  submit: string,
  from: Origin,
  blocks: (KnownBlock | Block)[],
): ModalView => ({
  type: 'modal',
  callback_id: callback,
  private_metadata: JSON.stringify(from),
  title: plain(title, 24),
  submit: plain(submit, 24),
  close: plain(chatWords.cancel(), 24),
  blocks,
})

/** The form that a button opens; undefined if the request has none of this kind. */
export function formFor(action: string, request: Request, from: Origin): ModalView | undefined {
  if (request.kind === 'approval') {
    if (action === actions.always) {
      const blocks = alwaysBlocks(request)
      return blocks && modal(forms.always, chatWords.alwaysAllowTitle(), chatWords.alwaysAllowTitle(), from, blocks)
    }
    return modal(forms.denial, chatWords.deny(), chatWords.deny(), from, [
      lines([words(toolWords(request.payload), { bold: true })]),
      paragraph(fields.reason, chatWords.whyNot(), { optional: true, focus: true }),
      paragraph(fields.instead, chatWords.whatInstead(), { optional: true, focus: false }),
    ])
  }
  if (action === actions.fill)
    return modal(forms.answers, chatWords.yourAnswers(), chatWords.send(), from, answerBlocks(request.payload))
  return modal(forms.words, chatWords.yourAnswer(), chatWords.send(), from, [
    lines([words(request.payload.question)]),
    paragraph(fields.words, chatWords.answer(), { optional: false, focus: true }),
  ])
}
