import type { ToldEvent } from '../src/domain/events.ts'
import { readEvents } from '../tests/support/client.ts'

/** One message and its answer, as the sender sees it. Times in ms. */
export interface Turn {
  firstMs: number
  wholeMs: number
  /** How long each word took from the model to here. */
  delaysMs: number[]
  conversation: string
}

export type TakeTurn = (message: string, conversation?: string) => Promise<Turn>

const delaysOf = (text: string): number[] => [...text.matchAll(/@(\d+)/g)].map(([, sent]) => Date.now() - Number(sent))

/** The answer's text in an event; a short answer may come all at once. */
function freshIn(event: ToldEvent, shown: string): string {
  if (event.type === 'text_end') return event.data.text.slice(shown.length)
  if (event.type !== 'text_delta') return ''
  return event.data.whole ? event.data.delta.slice(shown.length) : event.data.delta
}

export const bobbinTurn =
  (url: string): TakeTurn =>
  async (message, conversation) => {
    const started = performance.now()
    const response = await fetch(`${url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, conversation_id: conversation }),
    })
    let firstMs = Number.NaN
    const delaysMs: number[] = []
    let shown = ''
    for await (const event of readEvents(response)) {
      if (event.type === 'error') throw new Error(event.data.message)
      const fresh = freshIn(event, shown)
      if (fresh === '') continue
      shown += fresh
      if (Number.isNaN(firstMs)) firstMs = performance.now() - started
      delaysMs.push(...delaysOf(fresh))
    }
    const { conversation_id = '' } = { conversation_id: response.headers.get('x-conversation-id') ?? undefined }
    return { firstMs, wholeMs: performance.now() - started, delaysMs, conversation: conversation_id }
  }

export const baselineTurn =
  (url: string): TakeTurn =>
  async (message) => {
    const started = performance.now()
    const response = await fetch(url, { method: 'POST', body: message })
    let firstMs = Number.NaN
    const delaysMs: number[] = []
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      if (Number.isNaN(firstMs)) firstMs = performance.now() - started
      delaysMs.push(...delaysOf(chunk))
    }
    return { firstMs, wholeMs: performance.now() - started, delaysMs, conversation: '' }
  }
