import { setTimeout as sleep } from 'node:timers/promises'
import {
  type APIMessage,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  MessageFlags,
  Routes,
} from 'discord.js'
import { Failure, reasonOf, sentencesOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { chatWords } from '../../words/words.ts'
import type { DiscordApi } from '../api/api.ts'
import { silent } from '../post/message.ts'
import { discordMessages } from '../text/discord-messages.ts'

/** Discord waits three seconds for a first reply, which takes time to arrive, ms. */
export const patienceMs = 1_500

/** What to tell whoever did it: if that is known, why it can't be done, and what helps. */
function failed(thrown: unknown): string {
  const [known] = thrown instanceof Failure ? discordMessages(sentencesOf(thrown)) : []
  return known ?? chatWords.didNotWork()
}

export interface RespondTo {
  id: string
  token: string
  application_id: string
}

/**
 * The replies that Discord expects to a click or a command: one within three seconds, and more within fifteen minutes.
 * If a reply can't be sent, that is logged; the action is done all the same.
 */
export class Respond {
  readonly #api: DiscordApi
  readonly #log: Log
  /** What has had its first reply. */
  readonly #begun = new BoundedMap<true>(1_000)

  constructor(api: DiscordApi, log: Log) {
    this.#api = api
    this.#log = log
  }

  /** A click or a form is acknowledged when its answer is stored or, if that takes long, a little before. */
  async acknowledge<T>(asking: RespondTo, storing: Promise<T>): Promise<T> {
    await endedOrLate(storing)
    await this.#first(asking, { type: InteractionResponseType.DeferredMessageUpdate })
    return await storing
  }

  /** Replies with a text that only this person sees. If it takes long, Discord shows that it is coming. */
  async answer(asking: RespondTo, words: Promise<string[]>): Promise<void> {
    const inTime = await endedOrLate(words)
    if (!inTime) {
      const data = { flags: MessageFlags.Ephemeral }
      await this.#first(asking, { type: InteractionResponseType.DeferredChannelMessageWithSource, data })
    }
    const [first = 'Done.', ...others] = await words.catch((thrown: unknown) => {
      this.#log.error({ interaction: asking.id, error: reasonOf(thrown) }, 'what a person did on Discord failed')
      return [failed(thrown)]
    })
    if (inTime) await this.say(asking, first)
    else {
      const edit = { content: first, allowed_mentions: silent }
      await this.#tell('PATCH', Routes.webhookMessage(asking.application_id, asking.token), edit)
    }
    for (const piece of others) await this.add(asking, piece)
  }

  /** An immediate reply, which only this person sees. */
  say(asking: RespondTo, content: string): Promise<void> {
    return this.#first(asking, { type: InteractionResponseType.ChannelMessageWithSource, data: privately(content) })
  }

  /** A form: it has to come first. */
  form(asking: RespondTo, data: APIModalInteractionResponseCallbackData): Promise<void> {
    return this.#first(asking, { type: InteractionResponseType.Modal, data })
  }

  /** A further reply, which only this person sees. */
  add(asking: RespondTo, content: string): Promise<void> {
    return this.#tell('POST', Routes.webhook(asking.application_id, asking.token), privately(content))
  }

  /** It failed. Before the first reply, Discord accepts no further one. */
  fail(asking: RespondTo, thrown: unknown): Promise<void> {
    return this.#begun.has(asking.id) ? this.add(asking, failed(thrown)) : this.say(asking, failed(thrown))
  }

  #first({ id, token }: RespondTo, body: unknown): Promise<void> {
    this.#begun.set(id, true)
    return this.#tell('POST', Routes.interactionCallback(id, token), body)
  }

  async #tell(method: 'POST' | 'PATCH', route: `/${string}`, body: unknown): Promise<void> {
    try {
      await this.#api.respond<APIMessage | undefined>(method, route, body)
    } catch (thrown) {
      this.#log.warn({ error: reasonOf(thrown) }, 'a person could not be answered on Discord')
    }
  }
}

/** True if it ended in time, successfully or not. */
const endedOrLate = (running: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    running.then(
      () => true,
      () => true,
    ),
    sleep(patienceMs, false, { ref: false }),
  ])

const privately = (content: string) => ({ content, flags: MessageFlags.Ephemeral, allowed_mentions: silent })
