import type { ViewResponseAction } from '@slack/bolt'
import type { Given } from '../../../domain/question.ts'
import { chatWords } from '../../words/words.ts'
import { forms } from '../cards/action-ids.ts'
import { choiceFields } from '../cards/always-form.ts'
import { choiceField, formParts, wordsField } from '../cards/answer-form.ts'
import { fields, originOf } from '../cards/forms.ts'
import { slackWords } from '../words/words.ts'
import { giveAnswer } from './answering.ts'
import type { ClickDeps } from './clicks.ts'
import { givenAlways, givenAnswers, givenDenial, givenWords, type Read } from './fields.ts'
import type { Submission } from './payload.ts'

/** Reads a submitted form. Resolves, once it is stored, with what Slack shows beside the fields, if anything. */
export async function submitted(
  { slack, sink, speaker }: Pick<ClickDeps, 'slack' | 'sink' | 'speaker'>,
  { user, view }: Submission,
): Promise<ViewResponseAction | undefined> {
  const origin = originOf(view.private_metadata)
  const first = Object.keys(view.state.values)[0] ?? ''
  if (origin === undefined) return complaint({ [first]: slackWords.formExpired() })
  const read = await readForm(sink, origin.request, view)
  if ('errors' in read) return complaint(read.errors)
  const { request, channel, thread } = origin
  const reply = await giveAnswer(slack, sink, request, read.given, { user: user.id, team: user.team_id, channel })
  if (reply?.refused === false) void speaker.whisper(user.id, { channel, thread }, reply.text)
  return reply?.refused ? complaint({ [read.block]: reply.text }) : undefined
}

/** What a form says, and beside which of its blocks a refusal is shown. */
async function readForm(
  sink: ClickDeps['sink'],
  id: string,
  { callback_id, state: { values } }: Submission['view'],
): Promise<Placed> {
  if (callback_id === forms.denial) return at(fields.reason, givenDenial(values))
  if (callback_id === forms.always) return at(choiceFields.scope, givenAlways(values))
  if (callback_id === forms.words) return at(fields.words, givenWords(values))
  const request = await sink.request(id)
  const first = choiceField(0) in values ? choiceField(0) : wordsField(0)
  if (request === undefined || request.kind === 'approval') {
    return { errors: { [first]: chatWords.gone() } }
  }
  return at(first, givenAnswers(formParts(request.payload), values))
}

type Placed = { given: Given; block: string } | { errors: Record<string, string> }

const at = (block: string, read: Read): Placed => ('errors' in read ? read : { ...read, block })

const complaint = (errors: Record<string, string>): ViewResponseAction => ({ response_action: 'errors', errors })
