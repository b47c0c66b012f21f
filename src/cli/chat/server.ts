import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ToldEvent } from '../../domain/events.ts'
import type { RequestId } from '../../domain/ids.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { cliWords } from '../words.ts'
import type { Asked } from './requests.ts'

/** The interface lists no more threads at once. */
export const mostListed = 100

/** A running Bobbin, here or elsewhere. */
export interface Address {
  url: string
  token: string | undefined
}

export interface Thread {
  id: string
  title: string
  platform: string
  project_id: string
  state: string
  updated_at: string
  last_sequence: number
  pending_requests: number
}

/**
 * Its HTTP interface, as far as a chat in the terminal needs it. Every method throws Failures with what the server
 * said.
 */
export class Server {
  readonly #address: Address
  /** Of the requests under way, except for the events, which have their own. */
  #waiting = new AbortController()

  constructor(address: Address) {
    this.#address = address
  }

  /** Fails the requests under way with `reason`. Later ones are made as usual. */
  abandon(reason: Failure): void {
    this.#waiting.abort(reason)
    this.#waiting = new AbortController()
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const { url, token } = this.#address
    const headers = new Headers(init.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    const signal = init.signal ?? this.#waiting.signal
    let answer: Response
    try {
      answer = await fetch(`${url}/api/v1${path}`, { ...init, headers, signal })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      throw unreachable(url, thrown)
    }
    if (!answer.ok) throw await refused(answer, this.#address)
    return answer
  }

  async #json<Body>(path: string, body?: object): Promise<Body> {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    // Its own interface, in the same version; a stranger at this address gets no more than what is typed.
    return (await this.#ask(path, init)).json() as Promise<Body>
  }

  /** The last used, of one channel or of all. */
  threads = async (limit: number, project?: string): Promise<Thread[]> => {
    const { projects } = await this.#json<{ projects: { project_id: string; platform: string }[] }>('/agent/projects')
    const own = projects.filter(
      (one) => one.platform === 'console' && (project === undefined || one.project_id === project),
    )
    // Each list begins with its pinned threads, whenever they were used.
    const lists = await Promise.all(
      own.map(({ project_id }) =>
        this.#json<{ conversations: Thread[] }>(
          `/agent/conversations?project_id=${encodeURIComponent(project_id)}&limit=${mostListed}`,
        ),
      ),
    )
    return lists
      .flatMap(({ conversations }) => conversations)
      .filter(({ platform }) => platform === 'console')
      .toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))
      .slice(0, limit)
  }

  thread = (id: string): Promise<Thread> => this.#json(`/agent/conversations/${encodeURIComponent(id)}`)

  /** What waits for a person there, the oldest first. */
  pending = async (conversation: string): Promise<Asked[]> => {
    const query = new URLSearchParams({ status: 'pending', conversation_id: conversation, limit: '1000' })
    const { requests } = await this.#json<{ requests: (Asked & { id: RequestId })[] }>(`/requests?${query}`)
    return requests.map(({ id, ...asked }) => ({
      ...asked,
      request_id: id,
      deadline_at: asked.deadline_at ?? undefined,
    }))
  }

  /**
   * Sends a message with files. It answers no question that an event after `seen` told of. Resolves with the thread
   * once it is stored. The same key again changes nothing.
   */
  async send(
    message: string,
    files: readonly string[],
    { conversation, project, key, seen }: { conversation?: string; project?: string; key: string; seen?: number },
  ): Promise<string> {
    const form = new FormData()
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const fields = { message, conversation_id: conversation, project_id: project, time_zone: timeZone }
    for (const [name, value] of Object.entries(fields)) if (value) form.set(name, value)
    if (seen !== undefined) form.set('seen', String(seen))
    for (const file of files) form.append('files', new Blob([new Uint8Array(await readFile(file))]), basename(file))
    const headers = { 'idempotency-key': key }
    const answer = await this.#ask('/agent/chat', { method: 'POST', body: form, headers })
    // The events are followed on a connection of their own, which can be resumed.
    await answer.body?.cancel()
    return answer.headers.get('x-conversation-id') ?? ''
  }

  /** The events after a number, until the connection ends. `connected` is called once it stands. */
  async *events(conversation: string, after: number, signal: AbortSignal, connected: () => void) {
    const headers = { 'last-event-id': String(after), accept: 'text/event-stream' }
    const path = `/agent/conversations/${encodeURIComponent(conversation)}/stream`
    const answer = await this.#ask(path, { headers, signal })
    connected()
    let text = ''
    for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '))
        if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as ToldEvent
      }
    }
  }

  /** Returns whether the request still waits, for the votes of others. */
  answer = async (request: string, body: object): Promise<boolean> => {
    const answered = await this.#json<{ request: { status: string } }>(
      `/requests/${encodeURIComponent(request)}/answer`,
      body,
    )
    return answered.request.status === 'pending'
  }

  stop = (conversation: string) =>
    this.#json<{ stopped: boolean }>(`/agent/conversations/${encodeURIComponent(conversation)}/stop`, {})

  async file(conversation: string, path: string): Promise<Response> {
    const name = path.split('/').map(encodeURIComponent).join('/')
    return this.#ask(`/agent/conversations/${encodeURIComponent(conversation)}/files/${name}`)
  }

  files = (conversation: string) =>
    this.#json<{ files: { path: string; size: number }[]; has_more: boolean }>(
      `/agent/conversations/${encodeURIComponent(conversation)}/files`,
    )
}

function unreachable(url: string, thrown: unknown): Failure {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : reasonOf(cause)
  const remedy = cliWords.noBobbinRemedy()
  return new Failure('not_reached', cliWords.noBobbin({ url, reason }), remedy, { cause: thrown })
}

/** What a server that is there says no with. */
export class Refused extends Failure {
  readonly status: number

  constructor(status: number, code: string, message: string, remedy: string) {
    super(code, message, remedy)
    this.status = status
  }
}

async function refused(answer: Response, { url, token }: Address): Promise<Refused> {
  const { status } = answer
  const body = await answer.json().catch(() => undefined)
  const error = (body as { error?: { code?: string; message?: string; remedy?: string } } | undefined)?.error
  if (status === 401 && token !== undefined)
    return new Refused(status, 'wrong_token', cliWords.wrongToken({ url }), cliWords.wrongTokenRemedy())
  if (status === 401)
    return new Refused(status, 'token_needed', cliWords.tokenNeeded({ url }), cliWords.tokenNeededRemedy())
  if (error?.message === undefined)
    return new Refused(status, 'no_bobbin', cliWords.otherServer({ url, status }), cliWords.otherServerRemedy())
  return new Refused(status, error.code ?? 'refused', error.message, error.remedy ?? '')
}
