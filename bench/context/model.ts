import { calls, type RequestBody, type ScriptedReply, says } from '../../tests/support/model-server.ts'
import type { Fact, Turn } from './session.ts'

/** Where a fact was found when it was asked for. */
export type Found = 'in context' | 'by search' | 'lost'

const said = (body: RequestBody): string => body.messages.map(({ content }) => `${content ?? ''}`).join('\n')

/** A model that does what the session's turns say, and looks for what it doesn't see. */
export class SessionModel {
  readonly found = new Map<Fact, Found>()
  #turn: Turn | undefined
  #asked = 0

  begin(turn: Turn): void {
    this.#turn = turn
    this.#asked = 0
  }

  reply(body: RequestBody): ScriptedReply {
    const { work, answers } = this.#turn ?? { work: { kind: 'talk' as const }, answers: 'Done.' }
    const asked = this.#asked++
    if (work.kind === 'recall') return this.#recall(work.fact, body, asked)
    if (work.kind === 'talk' || asked > 0) return says(answers)
    return calls('read_file', { path: 'uploads/data.txt', offset: work.offset, limit: work.limit })
  }

  #recall(fact: Fact, body: RequestBody, asked: number): ScriptedReply {
    const text = said(body)
    if (text.includes(fact.value)) {
      this.found.set(fact, asked === 0 ? 'in context' : 'by search')
      return says(`It is ${fact.value}.`)
    }
    const name = fact.search.split(' ').find((word) => /-\d+$/.test(word)) ?? fact.search
    const search = [fact.search, name][asked]
    if (search !== undefined) return calls('read_history', { search })
    this.found.set(fact, 'lost')
    return says('I don’t know.')
  }
}

const code = /[A-Z]{2}-\d{4}-\d+/

/**
 * Notes of what a model was given to summarise. It overlooks every second fact, and what was said first when there are
 * too many.
 */
export function notesOf(body: RequestBody, words: number): ScriptedReply {
  const sentences = said(body)
    .split(/(?<=[.。])\s+|\n+/)
    .filter((sentence) => code.test(sentence))
  const noticed = [...new Set(sentences)].filter((sentence) => Number(code.exec(sentence)?.[0].split('-')[2]) % 2 === 0)
  const kept: string[] = []
  let count = 0
  for (const sentence of noticed.toReversed()) {
    count += sentence.split(/\s+/).length
    if (count > words) break
    kept.unshift(sentence)
  }
  return says(
    `## Goal\nnone\n## Decisions\nnone\n## Facts\n${kept.join('\n') || 'none'}\n## Files and artefacts\nuploads/data.txt`,
  )
}

export const isSummary = ({ tools = [] }: RequestBody): boolean => tools.length === 0
