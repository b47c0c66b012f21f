import { randomBytes } from 'node:crypto'
import type { InteractionType } from 'discord-api-types/v10'
import type { Settings } from '../options.ts'
import type { ModalForm } from '../rules/modal.ts'
import type { Channel, InteractionSource, Message } from '../world/types.ts'

/** How the bot answered first, or that it did not in time. */
export type FirstAnswer =
  | { kind: 'message' | 'deferred' | 'updated' | 'deferred update'; message: Message }
  | { kind: 'modal'; modal: ModalForm }
  | { kind: 'choices'; choices: { name: string; value: unknown }[] }
  | { kind: 'failed' }

export interface Interaction {
  id: string
  token: string
  type: InteractionType
  userId: string
  channelId: string
  createdAt: number
  /** The command's name. */
  name?: string
  /** The message of a component. */
  message?: Message
  /** For a submitted form: the interaction that opened it. */
  from?: Interaction
  /** The message that `@original` means once it is answered. */
  response?: Message
  first?: FirstAnswer
  /** Counted where the bot isn't. */
  followUps?: number
  answered: Promise<FirstAnswer>
}

export type Origin = Pick<Interaction, 'type' | 'userId' | 'name' | 'message' | 'from'>

const lifetimeMs = 15 * 60_000

/** Interactions, from their start until their token expires. */
export class Interactions {
  readonly #settings: Settings
  readonly #all = new Map<string, Interaction>()
  readonly #settle = new Map<string, (answer: FirstAnswer) => void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** The form that a person has open. */
  readonly openModals = new Map<string, { modal: ModalForm; from: Interaction }>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  begin(id: string, channel: Channel, origin: Origin): Interaction {
    const { promise, resolve } = Promise.withResolvers<FirstAnswer>()
    const token = randomBytes(48).toString('base64url')
    const interaction = { ...origin, id, token, channelId: channel.id, createdAt: Date.now(), answered: promise }
    this.#all.set(id, interaction)
    this.#settle.set(id, resolve)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.settle(interaction, { kind: 'failed' })
    }, this.#settings.interactionDeadlineMs)
    this.#timers.add(timer)
    return interaction
  }

  /** The first response counts, and missing the deadline is one. */
  settle(interaction: Interaction, answer: FirstAnswer): void {
    if (interaction.first) return
    interaction.first = answer
    this.#settle.get(interaction.id)?.(answer)
  }

  find(id: string): Interaction | undefined {
    return this.#all.get(id)
  }

  findByToken(token: string): Interaction | undefined {
    return [...this.#all.values()].find((one) => one.token === token)
  }

  isLate({ createdAt }: Interaction): boolean {
    return Date.now() - createdAt > this.#settings.interactionDeadlineMs
  }

  isExpired({ createdAt }: Interaction): boolean {
    return Date.now() - createdAt > lifetimeMs
  }

  /** Makes all existing interactions look old. */
  expire(): void {
    for (const one of this.#all.values()) one.createdAt = 0
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}

/** The metadata that messages carry about their interaction. */
export const sourceOf = ({ id, type, userId, name, message, from }: Interaction): InteractionSource => ({
  id,
  type,
  userId,
  ...(name && { name }),
  ...(message && !from && { messageId: message.id }),
  ...(from && { triggeredBy: sourceOf(from) }),
})
