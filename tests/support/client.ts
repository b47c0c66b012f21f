import type { EventType, SessionEvent, ToldEvent } from '../../src/domain/events.ts'
import { patienceMs } from './until.ts'

export interface Said {
  conversation: string
  /** Including streamed events, which aren't stored. */
  events: ToldEvent[]
  /** From the complete event, if the stream got there. */
  text: string | undefined
}

export interface SayOptions {
  conversation?: string
  user?: string
  project?: string
  key?: string
  files?: Record<string, string | Uint8Array>
  timeZone?: string
  /** The event of the message to go back to. */
  replaces?: number
  /** The last event that was read before this was written. */
  seen?: number
}

export interface PendingRequest {
  id: string
  kind: 'approval' | 'question' | 'decision'
  status: string
  conversation_id: string
  call_id: string
  /** Of an approval. */
  tool_name?: string
  tool_input?: Record<string, unknown>
  /** Of a question or decision. */
  question?: string
}

/** The HTTP interface as a client uses it, without any knowledge of the server. */
export class Client {
  url: string

  constructor(url: string) {
    this.url = url
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  async get<Body>(path: string): Promise<Body> {
    const response = await fetch(`${this.url}/api/v1${path}`)
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }

  /** The response of a chat request, with its stream unread. */
  send(
    message: string,
    { conversation, user, project, key, files, timeZone, replaces, seen }: SayOptions = {},
  ): Promise<Response> {
    const fields = {
      message,
      conversation_id: conversation,
      user_id: user,
      project_id: project,
      time_zone: timeZone,
      replaces,
      seen,
    }
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    if (files === undefined) return this.post('/agent/chat', fields, headers)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value))
    for (const [name, content] of Object.entries(files))
      form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
    return fetch(`${this.url}/api/v1/agent/chat`, { method: 'POST', headers, body: form })
  }

  /** Posts a message and reads the stream to its end. */
  async say(message: string, options: SayOptions = {}): Promise<Said> {
    const response = await this.send(message, options)
    if (!response.ok) throw new Error(`chat: ${response.status} ${await response.text()}`)
    const events = await Array.fromAsync(readEvents(response))
    const complete = events.find((event) => event.type === 'complete')
    return { conversation: response.headers.get('x-conversation-id') ?? '', events, text: complete?.data.content }
  }

  async events(conversation: string): Promise<SessionEvent[]> {
    const events: SessionEvent[] = []
    for (let next = 1; ; next = (events.at(-1)?.event_id ?? 0) + 1) {
      const page = await this.get<{ events: SessionEvent[]; has_more: boolean }>(
        `/agent/conversations/${conversation}/events?limit=10000&from_sequence=${next}`,
      )
      events.push(...page.events)
      if (!page.has_more) return events
    }
  }

  /** Follows the conversation until an event matches; throws if none does in time. */
  async until(conversation: string, fits: (event: ToldEvent) => boolean, after = 0): Promise<ToldEvent> {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(`${this.url}/api/v1/agent/conversations/${conversation}/stream`, {
      headers: { 'last-event-id': String(after) },
      signal,
    })
    for await (const event of readEvents(response)) if (fits(event)) return event
    throw new Error('the stream ended before the event came')
  }

  untilType(conversation: string, type: EventType, after = 0): Promise<ToldEvent> {
    return this.until(conversation, (event) => event.type === type, after)
  }

  /** An answer is posted a moment after its turn is complete; then a thread rests. */
  untilPosted(conversation: string, after = 0): Promise<ToldEvent> {
    return this.until(conversation, ({ type, data }) => type === 'message' && data.role === 'assistant', after)
  }

  async requests(status = 'pending'): Promise<PendingRequest[]> {
    return (await this.get<{ requests: PendingRequest[] }>(`/requests?status=${status}`)).requests
  }

  answer(request: string, body: Record<string, unknown>): Promise<Response> {
    return this.post(`/requests/${request}/answer`, body)
  }
}

/** The events of an event stream, as they arrive. */
export async function* readEvents(response: Response): AsyncGenerator<ToldEvent> {
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as ToldEvent
    }
  }
}

export const ofType = <Type extends EventType>(
  events: readonly ToldEvent[],
  type: Type,
): Extract<ToldEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<ToldEvent, { type: Type }> => event.type === type)

/** Without streamed events, which aren't stored. */
export const storedOf = (events: readonly ToldEvent[]): SessionEvent[] =>
  events.filter((event): event is SessionEvent => event.event_id !== undefined)
