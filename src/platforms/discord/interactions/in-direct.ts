import {
  type APIApplicationCommandInteraction,
  type APIInteraction,
  ApplicationCommandType,
  InteractionContextType,
  InteractionType,
  Routes,
} from 'discord.js'
import type { Heard, ThreadRef } from '../../../domain/chat.ts'
import { reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { isRefusal } from '../api/errors.ts'
import type { Directory } from '../directory/directory.ts'
import { directWith } from '../directory/elsewhere.ts'
import { linkTo } from '../directory/links.ts'
import { dedupKeyOf } from '../directory/thread-refs.ts'
import { nameUser } from '../heard/translate.ts'
import { nonceOf } from '../post/marks.ts'
import { silent } from '../post/message.ts'
import { cutTo } from '../text/cut.ts'
import { discordMessages } from '../text/discord-messages.ts'
import { plain } from '../text/plain.ts'
import { discordWords } from '../words/words.ts'
import { askName } from './command-list.ts'
import { mostPieces, readOptions } from './commands.ts'
import { type SubmissionDeps, saidInForm } from './submissions.ts'

type Deps = SubmissionDeps & { log: Log }

/** How much of a question is quoted. */
const longestQuote = 200

/**
 * What belongs into the bot's direct messages with the person: `/ask`, and whatever is done where the bot isn't. There
 * it can neither read nor post, and only the person sees its reply to the command, for a quarter of an hour. In direct
 * messages everything else works, and the access rules are those of direct messages.
 */
export const isForDirect = (interaction: APIInteraction, directory: Directory): boolean =>
  isAsk(interaction) || isElsewhere(interaction, directory)

const isAsk = (interaction: APIInteraction): boolean =>
  interaction.type === InteractionType.ApplicationCommand && interaction.data.name === askName

function isElsewhere({ guild_id: guild, context }: APIInteraction, directory: Directory): boolean {
  return guild === undefined ? context === InteractionContextType.PrivateChannel : !directory.isMember(guild)
}

export async function takeInDirect(deps: Deps, interaction: APIInteraction): Promise<void> {
  if (interaction.type !== InteractionType.ApplicationCommand || !isTyped(interaction)) {
    return await deps.respond.say(interaction, discordWords.worksOnlyWhereIAm())
  }
  await deps.respond.answer(interaction, answer(deps, interaction))
}

type Typed = APIApplicationCommandInteraction & { data: { type: ApplicationCommandType.ChatInput } }

const isTyped = (interaction: APIApplicationCommandInteraction): interaction is Typed =>
  interaction.data.type === ApplicationCommandType.ChatInput

async function answer(deps: Deps, interaction: Typed): Promise<string[]> {
  const { api, sink, directory } = deps
  const user = interaction.member?.user ?? interaction.user
  if (user === undefined) return [discordWords.worksOnlyWhereIAm()]
  const thread = await directOf(user.id, api)
  if (thread === undefined) return [discordWords.noDirectMessages()]
  const person = nameUser(user, undefined)
  const link = linkTo(thread, undefined, directory)
  const { name, argument } = readOptions(interaction.data.options)
  if (!isAsk(interaction)) {
    const { tenant, project } = thread
    const dedupKey = dedupKeyOf(thread, interaction.id)
    const said = await sink.command({ dedupKey, name, argument, person, thread, tenant, project })
    return discordMessages(`${discordWords.answeredInDirect({ link })}\n${said}`).slice(0, mostPieces)
  }
  const heard = asked(interaction, thread, person)
  const { kind } = await sink.hear(heard)
  if (kind === 'new') await quote(deps, heard)
  return [kind === 'ignored' ? discordWords.mayNotUseMe() : discordWords.iAnswerInDirect({ link })]
}

function asked(interaction: Typed, thread: ThreadRef, person: Heard['person']): Heard {
  const option = interaction.data.options?.[0]
  const question = option !== undefined && 'value' in option ? String(option.value) : ''
  return saidInForm(interaction, thread, person, question, [])
}

/**
 * The question isn't in the direct messages, so it stands above its answer there. Never throws: the answer comes
 * without it, too.
 */
async function quote({ api, log }: Deps, { thread, text, message }: Heard): Promise<void> {
  const content = `> ${plain(cutTo(text, { characters: longestQuote, bytes: 4 * longestQuote }))}`
  const body = { content, allowed_mentions: silent, nonce: nonceOf(`asked-${message}`), enforce_nonce: true }
  const call = { bucket: 'messages', channel: thread.project, priority: 'answer' } as const
  try {
    await api.write(call, { method: 'POST', route: Routes.channelMessages(thread.project), body })
  } catch (thrown) {
    log.info({ platform: 'discord', reason: reasonOf(thrown) }, 'a question could not be quoted')
  }
}

async function directOf(person: string, api: SubmissionDeps['api']): Promise<ThreadRef | undefined> {
  try {
    return await directWith(api, person)
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    return undefined
  }
}
