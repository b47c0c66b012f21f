import type { WorkspaceFile } from '../domain/chat.ts'
import type { EventData, SessionEvent } from '../domain/events.ts'
import { deletedText } from '../domain/messages.ts'
import type { QuestionRequest } from '../domain/request.ts'
import type { Json } from '../kit/json.ts'
import { cutCharacters } from '../kit/text/shown.ts'
import { besides, plainName } from '../kit/text/text.ts'
import { exportWords } from './words.ts'

/** What stands in a thread, in the order in which it happened. */
export type Entry =
  | {
      kind: 'message'
      at: string
      role: EventData['message']['role']
      name?: string
      text: string
      files: WorkspaceFile[]
    }
  | { kind: 'call'; at: string; tool: string; input: Json; status: string; result: string }
  | {
      kind: 'approval'
      at: string
      tool: string
      input: Json
      reason: string
      decision?: string
      name?: string
      /** In the words of whoever decided. */
      why?: string
      instead?: string
    }
  | {
      kind: 'question'
      at: string
      question: string
      answer?: string
      name?: string
      /** Missing while it waits. */
      by?: EventData['question_answered']['by']
      declined?: boolean
    }
  | { kind: 'note'; at: string; text: string }

/** As much of a message as names it. */
const mostOfUndone = 100

interface Kept<Kind extends Entry['kind'] = Entry['kind']> {
  entry: Extract<Entry, { kind: Kind }>
  /** What later events refer to it by. */
  key?: string
}

type Of<Type extends keyof EventData> = Extract<SessionEvent, { type: Type }>

/** Reads events in order, and keeps what people would want to read again. */
export class Entries {
  readonly #kept: Kept[] = []
  readonly #calls = new Set<string>()
  /** What the bot said, by turn. */
  readonly #said = new Map<string, Kept<'message'>[]>()

  get all(): Entry[] {
    return this.#kept.map(({ entry }) => entry)
  }

  take(event: SessionEvent): void {
    const { timestamp: at } = event
    if (event.type === 'message') this.#message(event)
    else if (event.type === 'changed') this.#changed(event)
    else if (event.type === 'act') this.#act(event)
    else if (event.type === 'observe') this.#observe(event)
    else if (event.type === 'text_end') this.#text(event)
    else if (event.type === 'complete') this.#complete(event)
    else if (event.type === 'reset') this.#note(at, `${event.data.person.name} cleared the history above.`)
    else if (event.type === 'undone') this.#undone(event)
    else if (event.type === 'stopped') this.#note(at, `Stopped${by(event.data.person)}.`)
    else if (event.type === 'error') this.#note(at, `${event.data.message} ${event.data.remedy}`)
    else this.#request(event)
  }

  /** Approvals and questions, and what people said to them. */
  #request(event: SessionEvent): void {
    const { timestamp: at } = event
    switch (event.type) {
      case 'permission_asked': {
        const { tool_name: tool, tool_input: input, reason, request_id } = event.data
        this.#add({ kind: 'approval', at, tool, input, reason }, request_id)
        break
      }
      case 'permission_replied': {
        const { request_id, reason: why, instead, person } = event.data
        const decision = event.data.decision === 'approve' ? 'approved' : 'denied'
        const said = { ...(why !== undefined && { why }), ...(instead !== undefined && { instead }) }
        this.#change(request_id, 'approval', { decision, ...nameOf(person), ...said })
        break
      }
      case 'question_asked':
      case 'decision_asked':
      case 'clarification_asked':
      case 'doom_loop_detected': {
        const { question, also = [], request_id } = event.data
        for (const [part, asked] of [question, ...also.map((further) => further.question)].entries())
          this.#add({ kind: 'question', at, question: asked }, partKey(request_id, part))
        break
      }
      case 'question_answered':
      case 'decision_answered':
      case 'clarification_answered':
      case 'doom_loop_intervened': {
        const { request_id, answer, also = [], person, by, declined } = event.data
        const how = { by, ...(declined !== undefined && { declined }), ...nameOf(person) }
        this.#answer(request_id, [answer, ...also.map(({ text }) => text)], how)
      }
    }
  }

  /** An answer, and the result of the call that asked, as they are since the message that gave it was changed. */
  correct({ id, call, answer }: QuestionRequest, result: string | undefined): void {
    if (answer !== undefined) this.#answer(id, [answer.text, ...(answer.also ?? []).map(({ text }) => text)])
    if (result !== undefined) this.#change(call, 'call', { result })
  }

  #answer(request: string, answers: string[], how: Partial<Extract<Entry, { kind: 'question' }>> = {}): void {
    for (const [part, answer] of answers.entries()) this.#change(partKey(request, part), 'question', { answer, ...how })
  }

  /** It and what came after it stay, since they were said. */
  #undone({ timestamp, data: { message_id, person } }: Of<'undone'>): void {
    const entry = this.#kept.findLast(({ key }) => key === message_id)?.entry
    const message = entry?.kind === 'message' ? cutCharacters(entry.text.trim(), mostOfUndone) : ''
    this.#note(timestamp, exportWords.wentBack({ name: plainName(person.name), message }))
  }

  #note(at: string, text: string): void {
    this.#add({ kind: 'note', at, text: text.trim() })
  }

  /** One that has an earlier text in it is another: there may be calls between them. */
  #text({ timestamp: at, data: { discarded, text, turn_id: turn } }: Of<'text_end'>): void {
    const isKept = this.#said.get(turn)?.some(({ entry }) => entry.text.trim() === text.trim()) === true
    if (discarded !== true && text.trim() !== '' && !isKept) this.#sayNew(at, text, [], turn)
  }

  #complete({ timestamp, data: { content, files, turn_id } }: Of<'complete'>): void {
    if (content.trim() !== '' || files.length > 0) this.#say(timestamp, content, files, turn_id)
  }

  #observe({ data: { call_id, status, result } }: Of<'observe'>): void {
    this.#change(call_id, 'call', { status, result })
  }

  #add<Kind extends Entry['kind']>(entry: Extract<Entry, { kind: Kind }>, key?: string): Kept<Kind> {
    const kept = { entry, ...(key !== undefined && { key }) }
    this.#kept.push(kept)
    return kept
  }

  #change<Kind extends Entry['kind']>(key: string, kind: Kind, fields: Partial<Extract<Entry, { kind: Kind }>>): void {
    const kept = this.#kept.findLast((one) => one.key === key && one.entry.kind === kind)
    if (kept !== undefined) Object.assign(kept.entry, fields)
  }

  /** A call that is tried again is the same call. */
  #act({ timestamp: at, data }: Of<'act'>): void {
    const { call_id: key, tool_name: tool, tool_input: input } = data
    if (this.#calls.has(key)) return
    this.#calls.add(key)
    this.#add({ kind: 'call', at, tool, input, status: 'not finished', result: '' }, key)
  }

  /** What the bot says is told while it streams, when its turn ends, and when it is posted. It is kept once. */
  #say(at: string, text: string, files: WorkspaceFile[], turn: string, key?: string): void {
    // It may be posted with a word about its lateness or its files.
    const parts = this.#said.get(turn)?.filter(({ entry }) => besides(text, entry.text) !== undefined)
    const same = parts?.toSorted((one, other) => one.entry.text.length - other.entry.text.length).at(-1)
    if (same === undefined) {
      this.#sayNew(at, text, files, turn, key)
      return
    }
    same.entry.text = text
    if (files.length > 0) same.entry.files = files
    if (key !== undefined) same.key = key
  }

  #sayNew(at: string, text: string, files: WorkspaceFile[], turn: string, key?: string): void {
    const said = this.#said.get(turn) ?? []
    said.push(this.#add({ kind: 'message', at, role: 'assistant', text, files }, key))
    this.#said.set(turn, said)
  }

  #message({ timestamp: at, data }: Of<'message'>): void {
    const { message_id: key, role, text, files, person, turn_id: turn } = data
    if (role === 'assistant' && turn !== undefined) this.#say(at, text, files, turn, key)
    else this.#add({ kind: 'message', at, role, ...nameOf(person), text, files }, key)
  }

  #changed({ data: { message_id: key, text } }: Of<'changed'>): void {
    const kept = this.#kept.findLast((one) => one.key === key)
    if (kept?.entry.kind === 'message')
      Object.assign(kept.entry, { text: text ?? deletedText, ...(text === null && { files: [] }) })
  }
}

/** The questions of a form share their request. */
const partKey = (request: string, part: number): string => (part === 0 ? request : `${request} ${part}`)

const by = (person: { name: string } | undefined): string => (person === undefined ? '' : ` by ${person.name}`)

const nameOf = (person: { name: string } | undefined) => (person === undefined ? {} : { name: person.name })
