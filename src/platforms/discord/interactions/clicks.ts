import type { APIMessageComponentInteraction } from 'discord.js'
import { directTenant } from '../../../domain/chat.ts'
import type { Given } from '../../../domain/question.ts'
import type { Request } from '../../../domain/request.ts'
import type { ClickOutcome, InboundSink, PersonInChannel } from '../../inbound-sink.ts'
import { replyTo, tooLateWords } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import type { CustomId } from '../cards/custom-id.ts'
import { decidersIn, nameOf } from '../cards/names.ts'
import { alwaysForm } from './always-form.ts'
import { answersForm } from './answers-form.ts'
import type { Form } from './fields.ts'
import { answerForm, reasonForm } from './forms.ts'
import type { Respond } from './respond.ts'

export interface CardDeps {
  sink: InboundSink
  respond: Respond
}

/** A click on a card, or a choice in it. */
export async function takeClick(
  { sink, respond }: CardDeps,
  interaction: APIMessageComponentInteraction,
  { action, id, index }: CustomId,
  actor: PersonInChannel,
): Promise<void> {
  if (isOpener(action)) return await showForm({ sink, respond }, interaction, { action, id }, actor)
  const values = 'values' in interaction.data ? interaction.data.values : []
  const chosen = index === undefined ? values : [String(index)]
  const words = wordsFor(await respond.acknowledge(interaction, answer(sink, action, id, chosen, actor)))
  if (words !== undefined) await respond.add(interaction, words)
}

async function answer(
  sink: InboundSink,
  action: CustomId['action'],
  id: string,
  chosen: string[],
  actor: PersonInChannel,
): Promise<ClickOutcome> {
  const given = await answerOf(sink, action, id, chosen)
  return given === undefined ? { kind: 'not-found' } : await sink.answer(id, given, actor)
}

/** Buttons that open a form. */
const openers = ['always', 'why', 'other', 'answers'] as const
type Opener = (typeof openers)[number]

const isOpener = (action: CustomId['action']): action is Opener => openers.some((one) => one === action)

/** A form has to be the first answer, so the request is read before. */
async function showForm(
  { sink, respond }: CardDeps,
  interaction: APIMessageComponentInteraction,
  { action, id }: { action: Opener; id: string },
  actor: PersonInChannel,
): Promise<void> {
  const request = await sink.request(id)
  if (request === undefined) return await respond.say(interaction, chatWords.gone())
  if (request.state !== 'pending') return await respond.say(interaction, tooLateWords(request, nameOf))
  const form = await formFor(sink, request, action, actor.tenant === directTenant)
  if (form !== undefined) return await respond.form(interaction, form)
  await respond.say(interaction, action === 'always' ? chatWords.onceOnly() : chatWords.unfit())
}

async function formFor(
  sink: InboundSink,
  request: Request,
  action: Opener,
  direct: boolean,
): Promise<Form | undefined> {
  if (request.kind === 'approval') {
    if (action === 'always') return alwaysForm(request, direct)
    return action === 'why' ? reasonForm(request) : undefined
  }
  if (action === 'answers') return answersForm(request)
  return action === 'other' ? answerForm(request, await sink.takesFiles(request)) : undefined
}

async function answerOf(
  sink: InboundSink,
  action: CustomId['action'],
  id: string,
  chosen: string[],
): Promise<Given | undefined> {
  if (action === 'approve' || action === 'deny') return { kind: 'approval', answer: { decision: action } }
  if (action === 'skip') return { kind: 'declined' }
  const request = await sink.request(id)
  return request === undefined ? undefined : { kind: 'question', answer: optionIds(request, chosen) }
}

/** Buttons and selects say which option it is by position: an option's own id may be long. */
export function optionIds(request: Request, chosen: string[]): string[] {
  const options = request.kind === 'approval' ? [] : request.payload.options
  return chosen.flatMap((index) => options[Number(index)]?.id ?? [])
}

/** What only the person sees who clicked. The others see the card. */
export function wordsFor(outcome: ClickOutcome): string | undefined {
  if (outcome.kind === 'not-allowed') return decidersIn(outcome.reason)
  return replyTo(outcome, nameOf)?.text
}
