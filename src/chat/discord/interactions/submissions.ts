import { type APIMessage, type APIModalSubmitInteraction, ComponentType, Routes } from 'discord.js'
import type { Heard, RemoteFile, ThreadRef } from '../../../domain/chat.ts'
import type { Request } from '../../../domain/request.ts'
import type { Answered, InboundSink } from '../../platform.ts'
import type { Api } from '../api.ts'
import type { CustomId } from '../custom-id.ts'
import type { Directory } from '../directory.ts'
import { keyOf, type Message, toFile, toHeard } from '../heard.ts'
import { linkTo } from '../links.ts'
import type { Places } from '../places.ts'
import { timeOf } from '../snowflakes.ts'
import { threadOf } from '../where.ts'
import { type CardDeps, optionIds, wordsFor } from './cards.ts'
import { fields } from './forms.ts'
import type { Given } from './who.ts'

export interface SubmissionDeps extends CardDeps {
  api: Api
  directory: Directory
  places: Places
}

/** What a form was filled with. */
interface Filled {
  text: string
  chosen: string[]
  files: RemoteFile[]
}

export async function takeForm(
  deps: SubmissionDeps,
  interaction: APIModalSubmitInteraction,
  { action, id }: CustomId,
  given: Given,
): Promise<void> {
  const filled = readForm(interaction)
  const { respond, sink } = deps
  if (action === 'ask-form') {
    return await respond.answer(interaction, askAbout(deps, interaction, id, filled.text, given))
  }
  const outcome = await respond.acknowledge(interaction, answer(sink, interaction, id, filled, given))
  const words = outcome && wordsFor(outcome)
  if (words !== undefined) await respond.add(interaction, words)
}

async function answer(
  sink: InboundSink,
  interaction: APIModalSubmitInteraction,
  id: string,
  { text, chosen, files }: Filled,
  { actor, thread }: Given,
): Promise<Answered | undefined> {
  const request = await sink.request(id)
  if (request === undefined) return { kind: 'not-found' }
  if (request.kind === 'approval') {
    return await sink.answer(id, { kind: 'approval', answer: { decision: 'deny', reason: text } }, actor)
  }
  if (files.length > 0 && thread !== undefined) {
    if (request.state !== 'pending') return { kind: 'too-late', request }
    // Files come with messages only; a message answers what waits in its thread.
    await sink.hear(saidInForm(interaction, thread, actor.person, asWords(request, chosen, text), files))
    return undefined
  }
  const parts = [...optionIds(request, chosen), ...(text === '' ? [] : [text])]
  if (parts.length === 0) return { kind: 'unfit' }
  return await sink.answer(id, { kind: 'question', answer: parts.length === 1 ? (parts[0] ?? '') : parts }, actor)
}

function asWords(request: Request, chosen: string[], text: string): string {
  const options = request.kind === 'approval' ? [] : request.payload.options
  const labels = chosen.flatMap((index) => options[Number(index)]?.label ?? [])
  return [labels.join(', '), text].filter((part) => part !== '').join('\n')
}

/** A question about somebody's message, which begins a thread there, or goes on in the one that it is in. */
async function askAbout(
  { api, directory, places, sink }: SubmissionDeps,
  interaction: APIModalSubmitInteraction,
  id: string,
  text: string,
  { actor }: Given,
): Promise<string[]> {
  const channel = interaction.channel?.id ?? ''
  const message: Message = await api.read<APIMessage>(Routes.channelMessage(channel, id))
  const thread = await threadOf({ guild: interaction.guild_id, channel, message: id }, directory)
  const about = toHeard(message, thread, directory)
  const quoted = about.text.split('\n').map((line) => `> ${line}`)
  const words = [text, '', `> ${about.person.name} wrote:`, ...quoted].join('\n')
  if (thread.thread === id) places.heard(id, text)
  await sink.hear(saidInForm(interaction, thread, actor.person, words, about.files))
  return [`I answer here: ${linkTo(thread, undefined, directory)}`]
}

const saidInForm = (
  { id }: APIModalSubmitInteraction,
  thread: ThreadRef,
  person: Heard['person'],
  text: string,
  files: RemoteFile[],
): Heard => ({
  dedupKey: keyOf(thread, id),
  thread,
  person,
  text,
  files,
  message: id,
  at: timeOf(id),
  mentioned: true,
  direct: thread.tenant === 'dm',
  toOthers: false,
  reply: true,
  author: 'person',
})

function readForm({ data }: APIModalSubmitInteraction): Filled {
  const filled: Filled = { text: '', chosen: [], files: [] }
  for (const component of data.components.flatMap(partsOf)) {
    const { custom_id } = component
    if (custom_id === fields.files && 'values' in component) {
      const files = component.values.map((file) => data.resolved?.attachments?.[file])
      filled.files = files.flatMap((file) => (file === undefined ? [] : toFile(file)))
    } else if (custom_id === fields.options) {
      filled.chosen =
        'values' in component ? component.values : typeof component.value === 'string' ? [component.value] : []
    } else if ('value' in component && typeof component.value === 'string') filled.text = component.value.trim()
  }
  return filled
}

/** Rows are how forms used to be made; there are servers that know nothing else. */
const partsOf = (part: APIModalSubmitInteraction['data']['components'][number]) => {
  if (part.type === ComponentType.Label) return [part.component]
  return part.type === ComponentType.ActionRow ? part.components : []
}
