import { setTimeout as sleep } from 'node:timers/promises'
import { markIn } from '../check/rows.ts'
import type { Account } from './account.ts'
import type { Place, Seen, Stage } from './stage.ts'

const lookMs = 100

/** A pending request as people see it. */
export interface OpenCard {
  id: string
  kind: 'approval' | 'question'
  token: string
  /** Options of a question. */
  options: string[]
  /** The button that opens the form for a free-text answer. */
  form: string | undefined
}

/** Buttons for free-text answers. */
const forms = ['Answer…', 'Something else…']
/** Of questions, and of plans: first what an approval means. */
const options = ['Left', 'Run it', 'Right', 'Don’t run it']

export function openCard({ id, own, text, buttons }: Seen): OpenCard | undefined {
  const form = forms.find((label) => buttons.includes(label))
  const isApproval = buttons.includes('Approve')
  if (!own || (form === undefined && !isApproval)) return undefined
  const offered = options.filter((label) => buttons.includes(label))
  return { id, kind: isApproval ? 'approval' : 'question', token: markIn(text), options: offered, form }
}

/** One thread as the people in it see it. */
export class Room {
  readonly place: Place
  readonly #stage: Stage
  readonly #account: Account
  readonly #ended: AbortSignal
  readonly #open = new Set<string>()

  constructor(place: Place, stage: Stage, account: Account, ended: AbortSignal) {
    this.place = place
    this.#stage = stage
    this.#account = account
    this.#ended = ended
  }

  waitFor(token: string): void {
    this.#open.add(token)
  }

  /** Nobody waits for this message, or for any so far, because it was deleted or somebody stopped the bot. */
  forget(token?: string): void {
    if (token === undefined) this.#open.clear()
    else this.#open.delete(token)
  }

  /** Resolves when at most this many messages are unanswered and people can write there. */
  async until(open: number): Promise<void> {
    while (!this.#ended.aborted) {
      this.#look()
      if (this.#open.size <= open && this.#stage.isOpen(this.place)) return
      await sleep(lookMs)
    }
  }

  /** Resolves when people can write there. */
  untilOpen(): Promise<void> {
    return this.until(Number.POSITIVE_INFINITY)
  }

  #look(): void {
    if (this.#open.size === 0) return
    const own = this.#stage.see(this.place).filter((seen) => seen.own)
    for (const token of this.#open) {
      if (!own.some((seen) => isAnswered(seen, token))) continue
      this.#open.delete(token)
      const told = this.#account.told.get(token)
      if (told) told.acknowledgedAt ??= performance.now()
    }
  }
}

/** Whether an answer mentions the token, or a card shows the message as its answer. */
const isAnswered = (seen: Seen, token: string): boolean =>
  new RegExp(`answer ${token}\\b`).test(seen.text) ||
  (openCard(seen) === undefined && seen.text.includes(`${token} steps:`))
