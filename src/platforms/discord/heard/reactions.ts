import { type APIMessage, type GatewayMessageReactionAddDispatchData, Routes } from 'discord.js'
import type { ThreadRef } from '../../../domain/chat.ts'
import { plainName } from '../../../kit/text/text.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { InOrder } from '../../in-order.ts'
import type { InboundSink, PersonInChannel } from '../../inbound-sink.ts'
import type { PlatformDeps } from '../../platform.ts'
import type { DiscordApi } from '../api/api.ts'
import { unlessRefused } from '../api/errors.ts'
import type { Directory } from '../directory/directory.ts'
import { dedupKeyOf, threadOf } from '../directory/thread-refs.ts'
import type { Hearing } from './hearing.ts'
import { nameUser } from './translate.ts'

/** Reactions to an answer, or to a question that was asked. */
const commandOf: Record<string, string> = { '🔁': 'retry', '🛑': 'stop' }
/** To answers only. */
const feedbackOf: Record<string, 'good' | 'bad'> = { '👍': 'good', '👎': 'bad' }

type Reaction = GatewayMessageReactionAddDispatchData
type Removed = Pick<Reaction, 'user_id' | 'message_id' | 'emoji'>
type Cleared = Pick<Reaction, 'message_id'> & { emoji?: Reaction['emoji'] }

interface ReactionDeps {
  sink: InboundSink
  api: DiscordApi
  directory: Directory
  hearing: Pick<Hearing, 'untilStored'>
  isReplaced: PlatformDeps['isReplaced']
}

export class Reactions {
  readonly #deps: ReactionDeps
  /** How often somebody has removed one, or all were: if they add it again, they mean it again. */
  readonly #again = new BoundedMap<number>(1_000)
  /** What was removed before isn't known, and nothing that was added before is delivered again. */
  readonly #since = Date.now()
  /** Of two judgements the last one counts. */
  readonly #messages = new InOrder()

  constructor(deps: ReactionDeps) {
    this.#deps = deps
  }

  async added(reaction: Reaction): Promise<void> {
    const { directory, hearing } = this.#deps
    const { user_id: user, message_id: message, message_author_id: author, member } = reaction
    const { command, value } = meaningOf(reaction)
    if ((command === undefined && value === undefined) || user === directory.self || member?.user.bot === true) return
    const ours = author === directory.self
    if (!ours && (command === undefined || author !== user)) return
    const key = `${keyFor(reaction)}:${this.#timesOf(reaction)}`
    const take = () => this.#take(reaction, ours, key)
    await this.#messages.run(message, () => hearing.untilStored({ id: message }, take))
  }

  async #take(reaction: Reaction, ours: boolean, key: string): Promise<void> {
    const { sink, isReplaced } = this.#deps
    const { user_id: user, message_id: message, member } = reaction
    const { command, value } = meaningOf(reaction)
    const thread = await this.#threadOf(reaction, ours)
    const person = member === undefined ? { id: user, name: plainName('') } : nameUser(member.user, member.nick)
    const actor: PersonInChannel = { person, tenant: thread.tenant, project: thread.project }
    if (value !== undefined) return await sink.feedback({ thread, message, value }, actor)
    // After a freeze another one may have taken it, under a key of its own, and something else runs by now.
    if (await isReplaced()) return
    const dedupKey = `${dedupKeyOf(thread, message)}:${key}`
    await sink.command({ ...actor, dedupKey, name: command ?? '', argument: '', thread, message })
  }

  removed(reaction: Removed): void {
    this.#count(placeOf(reaction))
  }

  /** All of a message, or all with the same emoji. */
  cleared({ message_id: message, emoji }: Cleared): void {
    this.#count(emoji === undefined ? message : `${message}:${emoji.name}`)
  }

  #count(place: string): void {
    this.#again.set(place, (this.#again.get(place) ?? 0) + 1)
  }

  #timesOf(reaction: Reaction): string {
    const { message_id: message, emoji } = reaction
    const places = [placeOf(reaction), message, `${message}:${emoji.name}`]
    const times = places.reduce((sum, place) => sum + (this.#again.get(place) ?? 0), 0)
    return `${this.#since}.${times}`
  }

  /** An answer given without a thread belongs to what it replies to. */
  async #threadOf(
    { guild_id: guild, channel_id: channel, message_id: message }: Reaction,
    ours: boolean,
  ): Promise<ThreadRef> {
    const { api, directory } = this.#deps
    const thread = await threadOf({ guild, channel, message }, directory)
    if (!ours || thread.thread !== message) return thread
    const answer = await unlessRefused(api.read<APIMessage>(Routes.channelMessage(channel, message)))
    return { ...thread, thread: answer?.message_reference?.message_id ?? message }
  }
}

const meaningOf = ({ emoji }: Reaction) => {
  const name = toneless(emoji.name ?? '')
  return { command: commandOf[name], value: feedbackOf[name] }
}

/** Without skin tone, and without the mark that asks for a coloured picture. */
const toneless = (emoji: string): string => emoji.replaceAll(/[\u{1F3FB}-\u{1F3FF}\uFE0F]/gu, '')

const keyFor = ({ emoji, user_id }: Removed): string => `${emoji.name}:${user_id}`
const placeOf = (reaction: Removed): string => `${reaction.message_id}:${keyFor(reaction)}`
