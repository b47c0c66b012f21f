import type { ModalView } from '@slack/types'
import { z } from 'zod'
import type { Request } from '../../../domain/request.ts'
import { readJson } from '../read-json.ts'
import { approvalTitle } from './approval.ts'
import { forms } from './ids.ts'
import { lines, plain, words } from './text.ts'

/** Where a form came from: what is said about it is said there. */
const origin = z.object({ request: z.string(), channel: z.string(), thread: z.string() })
export type Origin = z.output<typeof origin>

export const originOf = (metadata: string): Origin | undefined => readJson(metadata, origin)

/** The only field, and its block. */
export const field = 'words'

const form = (
  callback: string,
  title: string,
  submit: string,
  from: Origin,
  about: string,
  label: string,
): ModalView => ({
  type: 'modal',
  callback_id: callback,
  private_metadata: JSON.stringify(from),
  title: plain(title, 24),
  submit: plain(submit, 24),
  close: plain('Cancel', 24),
  blocks: [
    lines([words(about)]),
    {
      type: 'input',
      block_id: field,
      label: plain(label, 150),
      element: { type: 'plain_text_input', action_id: field, multiline: true, max_length: 3_000, focus_on_load: true },
    },
  ],
})

/** Asks for the words behind a no, or for an answer that no button has. */
export const formFor = (request: Request, from: Origin): ModalView =>
  request.kind === 'approval'
    ? form(forms.denial, 'Deny', 'Deny', from, approvalTitle(request), 'Why not?')
    : form(forms.words, 'Your answer', 'Send', from, request.payload.question, 'Answer')
