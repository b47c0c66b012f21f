import { type APIMessage, type APIModalSubmitInteraction, Routes } from 'discord.js'
import { directTenant, type Heard, type RemoteFile, type ThreadRef } from '../../../domain/chat.ts'
import type { Given } from '../../../domain/question.ts'
import type { ApprovalRequest, QuestionRequest } from '../../../domain/request.ts'
import type { ClickOutcome, InboundSink } from '../../inbound-sink.ts'
import type { DiscordApi } from '../api/api.ts'
import type { Message } from '../api/payload.ts'
import { timeOf } from '../api/snowflakes.ts'
import type { CustomId } from '../cards/custom-id.ts'
import type { Directory } from '../directory/directory.ts'
import { linkTo } from '../directory/links.ts'
import type { PostTargets } from '../directory/post-targets.ts'
import { dedupKeyOf, threadOf } from '../directory/thread-refs.ts'
import { toHeard } from '../heard/translate.ts'
import { discordWords } from '../words/words.ts'
import { readAlways } from './always-form.ts'
import { readAnswers } from './answers-form.ts'
import { type CardDeps, optionIds, wordsFor } from './clicks.ts'
import { type Filled, readForm } from './fields.ts'
import { fields } from './forms.ts'
import type { WhoAndWhere } from './who.ts'

export interface SubmissionDeps extends CardDeps {
  api: DiscordApi
  directory: Directory
  targets: PostTargets
}

export async function takeForm(
  deps: SubmissionDeps,
  interaction: APIModalSubmitInteraction,
  custom: CustomId,
  given: WhoAndWhere,
): Promise<void> {
  const filled = readForm(interaction)
  const { respond, sink } = deps
  if (custom.action === 'ask-form') {
    const asked = askAbout(deps, interaction, custom.id, filled.text(fields.text), given)
    return await respond.answer(interaction, asked)
  }
  const outcome = await respond.acknowledge(interaction, answer(sink, interaction, custom, filled, given))
  const words = outcome && wordsFor(outcome)
  if (words !== undefined) await respond.add(interaction, words)
}

/** Undefined if it was turned into a message. */
async function answer(
  sink: InboundSink,
  interaction: APIModalSubmitInteraction,
  { action, id }: CustomId,
  filled: Filled,
  { actor, thread }: WhoAndWhere,
): Promise<ClickOutcome | undefined> {
  const request = await sink.request(id)
  if (request === undefined) return { kind: 'not-found' }
  if (request.kind !== 'approval' && action === 'other-form' && thread !== undefined) {
    const files = filled.files(fields.files)
    if (files.length > 0) {
      const refused = await sink.whyNot(id, actor)
      if (refused !== undefined) return refused
      // Files come only with messages.
      const said = saidInForm(interaction, thread, actor.person, asWords(request, filled), files)
      const { kind } = await sink.hear({ ...said, answers: request.id })
      // Somebody was faster, or it took too long to find out that this person may.
      if (kind === 'not-taken') return (await sink.whyNot(id, actor)) ?? { kind: 'unfit' }
      return kind === 'ignored' ? { kind: 'not-allowed', reason: discordWords.mayNotUseMeHere() } : undefined
    }
  }
  const direct = actor.tenant === directTenant
  const said =
    request.kind === 'approval' ? verdictOf(request, action, filled, direct) : answerOf(request, action, filled)
  if (said !== undefined) return await sink.answer(id, said, actor)
  return action === 'answers-form' ? { kind: 'not-allowed', reason: discordWords.answerMissing() } : { kind: 'unfit' }
}

/** Undefined if it isn't an approval's form, or not filled in as offered. */
function verdictOf(
  request: ApprovalRequest,
  action: CustomId['action'],
  filled: Filled,
  direct: boolean,
): Given | undefined {
  if (action === 'always-form') {
    const always = readAlways(request, filled, direct)
    return always && { kind: 'approval', answer: { decision: 'approve', always } }
  }
  if (action !== 'why-form') return undefined
  const reason = filled.text(fields.reason)
  const instead = filled.text(fields.instead)
  return { kind: 'approval', answer: { decision: 'deny', ...(reason && { reason }), ...(instead && { instead }) } }
}

function answerOf(request: QuestionRequest, action: CustomId['action'], filled: Filled): Given | undefined {
  if (action === 'answers-form') return readAnswers(request, filled)
  if (action !== 'other-form') return undefined
  const text = filled.text(fields.text)
  const parts = [...optionIds(request, filled.chosen(fields.options)), ...(text === '' ? [] : [text])]
  return parts.length === 0 ? undefined : { kind: 'question', answer: parts.length === 1 ? (parts[0] ?? '') : parts }
}

function asWords({ payload }: QuestionRequest, filled: Filled): string {
  const labels = filled.chosen(fields.options).flatMap((index) => payload.options[Number(index)]?.label ?? [])
  return [labels.join(', '), filled.text(fields.text)].filter((part) => part !== '').join('\n')
}

/** A question about somebody's message, which begins a thread there, or continues in the one it is in. */
async function askAbout(
  { api, directory, targets, sink }: SubmissionDeps,
  interaction: APIModalSubmitInteraction,
  id: string,
  text: string,
  { actor }: WhoAndWhere,
): Promise<string[]> {
  const channel = interaction.channel?.id ?? ''
  const message: Message = await api.read<APIMessage>(Routes.channelMessage(channel, id))
  const thread = await threadOf({ guild: interaction.guild_id, channel, message: id }, directory)
  const about = toHeard(message, thread, directory)
  const quoted = about.text.split('\n').map((line) => `> ${line}`)
  const words = [text, '', `> ${about.person.name} wrote:`, ...quoted].join('\n')
  if (thread.thread === id && channel !== id) targets.heard(id, text)
  const { kind } = await sink.hear({
    ...saidInForm(interaction, thread, actor.person, words, about.files),
    quotesOthers: true,
  })
  if (kind === 'ignored') return [discordWords.mayNotUseMeHere()]
  return [discordWords.answeredThere({ thread: linkTo(thread, undefined, directory) })]
}

/** What somebody said in a form or a command, as a message to the bot. */
export const saidInForm = (
  { id }: { id: string },
  thread: ThreadRef,
  person: Heard['person'],
  text: string,
  files: RemoteFile[],
): Heard => ({
  dedupKey: dedupKeyOf(thread, id),
  thread,
  person,
  text,
  files,
  message: id,
  at: timeOf(id),
  mentioned: true,
  direct: thread.tenant === directTenant,
  toOthers: false,
  reply: true,
  author: 'person',
})
