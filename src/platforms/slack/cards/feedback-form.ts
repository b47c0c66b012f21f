import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { readJson } from '../../read-json.ts'
import { chatWords } from '../../words/words.ts'
import { slackWords } from '../words/words.ts'
import { plain } from './elements.ts'

export const feedbackForm = 'feedback_reason'

/** Its block and its field. */
export const feedbackReason = 'reason'

/** The answer that the form is about. */
const subject = z.object({ channel: z.string(), thread: z.string(), message: z.string() })
export type Judged = z.output<typeof subject>

export const judgedIn = (metadata: string): Judged | undefined => readJson(metadata, subject)

/** Opens after bad feedback, which counts whether or not the form is sent. */
export const feedbackView = (judged: Judged): ModalView => ({
  type: 'modal',
  callback_id: feedbackForm,
  private_metadata: JSON.stringify(judged),
  title: plain(slackWords.whatWrong(), 24),
  submit: plain(chatWords.send(), 24),
  close: plain(chatWords.skip(), 24),
  blocks: [
    {
      type: 'input',
      block_id: feedbackReason,
      label: plain(slackWords.betterAnswerQuestion(), 150),
      hint: plain(slackWords.readByOperators(), 150),
      optional: true,
      element: {
        type: 'plain_text_input',
        action_id: feedbackReason,
        multiline: true,
        max_length: 3_000,
        focus_on_load: true,
      },
    },
  ],
})
