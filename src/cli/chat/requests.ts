import type { EventData, SessionEvent } from '../../domain/events.ts'

export type Asked = EventData['permission_asked'] | EventData['question_asked']

interface Waiting {
  asked: Asked
  /** The number of the event that told of it. */
  number: number
}

/** What waits for a person. Only the oldest is shown, because what is typed answers the one that is shown. */
export class Requests {
  readonly #waiting = new Map<string, Waiting>()
  readonly #show: (asked: Asked) => void
  #shown: string | undefined

  constructor(show: (asked: Asked) => void) {
    this.#show = show
  }

  get areOpen(): boolean {
    return this.#waiting.size > 0
  }

  /** The id of the one that is shown. */
  get shown(): string | undefined {
    return this.#shown
  }

  find = (id: string): Asked | undefined => this.#waiting.get(id)?.asked

  /** The number of the event that told of it; 0 if it doesn't wait. */
  numberOf = (id: string | undefined): number => (id === undefined ? 0 : (this.#waiting.get(id)?.number ?? 0))

  note(event: SessionEvent): void {
    switch (event.type) {
      case 'permission_asked':
      case 'question_asked':
      case 'decision_asked':
      case 'clarification_asked':
      case 'doom_loop_detected':
        this.#waiting.set(event.data.request_id, { asked: event.data, number: event.event_id })
        break
      case 'permission_moved': {
        const { request_id: id, who, needed, escalated } = event.data
        const moved = this.#waiting.get(id)
        if (moved === undefined || !escalated) break
        moved.asked = { ...moved.asked, who, needed }
        // An approval's deadline may be another one, which no event tells.
        if ('reason' in moved.asked) moved.asked.deadline_at = undefined
        break
      }
      case 'permission_replied':
      case 'question_answered':
      case 'decision_answered':
      case 'clarification_answered':
      case 'doom_loop_intervened':
        this.#waiting.delete(event.data.request_id)
        break
    }
  }

  /** Those that were asked before an event with this number, of which no event has told. */
  add(all: readonly Asked[], number: number): void {
    for (const asked of all)
      if (!this.#waiting.has(asked.request_id)) this.#waiting.set(asked.request_id, { asked, number })
  }

  /** What waits is told anew. */
  forget(): void {
    this.#waiting.clear()
    this.#shown = undefined
  }

  /** Shows the next one, once the one before it is answered or withdrawn. */
  showNext(): void {
    const [next] = this.#waiting
    if (next?.[0] === this.#shown) return
    this.#shown = next?.[0]
    if (next !== undefined) this.#show(next[1].asked)
  }
}
