import { setImmediate } from 'node:timers/promises'
import type { Message } from '../../domain/messages.ts'
import { formsOf, partsOf, placesOf, type WordForms } from '../../kit/text/word-forms.ts'
import { readMessages } from '../../store/messages.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { cutMiddle, entry, headOf, transcript } from './transcript.ts'

/** The most characters of several messages, and of each that was found. */
const mostShown = 30_000
const mostOfOne = 1_500

/** How many messages are searched at a time. */
const atOnce = 500

const nothing = 'No message contains these words. Try fewer words, or different ones.'

/** A session's stored history. It stays whole, however little of it the model is sent. */
export const historyOf = (db: Db, { id, historyFrom }: Pick<Session, 'id' | 'historyFrom'>) => ({
  async read(from: number, limit: number): Promise<string> {
    const first = Math.max(from, historyFrom)
    const messages = await readMessages(db, id, { from: first, to: first + limit - 1 })
    const [only, ...others] = messages
    if (only === undefined) return 'There are no messages with these numbers.'
    if (others.length === 0) return alone(only)
    return transcript(messages, mostShown)
  },

  /** The latest messages that contain all of the words, or else those that contain most of them. */
  async search(words: string, limit: number): Promise<string> {
    const said = words.toLocaleLowerCase().split(/\s+/).map(withoutStop).filter(Boolean)
    const wanted = [...new Set(said)].flatMap((word) => [word, ...partsOf(word)]).map((word) => formsOf(word))
    const found: { message: Message; hits: number }[] = []
    let to = Number.MAX_SAFE_INTEGER
    for (;;) {
      const messages = await readMessages(db, id, { from: historyFrom, to, limit: atOnce })
      for (const message of messages.toReversed()) {
        const text = wordsOf(message).toLocaleLowerCase()
        const hits = wanted.reduce((sum, word) => sum + placesOf(text, word, 1).worth, 0)
        if (hits > 0) found.push({ message, hits })
      }
      const [first] = messages
      if (first === undefined || messages.length < atOnce) break
      to = first.seq - 1
      // SQLite answers within the same turn of the event loop.
      await setImmediate()
    }
    const best = found.toSorted((one, other) => other.hits - one.hits).slice(0, limit)
    if (best.length === 0) return nothing
    const inOrder = best.map(({ message }) => message).toSorted((one, other) => one.seq - other.seq)
    return inOrder.map((message) => partOf(message, wanted)).join('\n\n')
  },
})

const withoutStop = (word: string): string => word.replace(/(?<=[\p{L}\p{N}])[.,;:!?。，；：！？]+$/u, '')

const wordsOf = (message: Message): string =>
  message.role === 'assistant'
    ? [message.text, ...message.calls.map(({ name, arguments: input }) => `${name} ${input}`)].join('\n')
    : message.text

/** A single message, word for word. Of a long result, the program says where the rest is. */
const alone = (message: Message): string =>
  `${headOf(message)} (everything below is this message):\n${wordsOf(message)}`

/** One of several messages. A long one is cut to the part around the words. */
function partOf(message: Message, words: readonly WordForms[]): string {
  const text = wordsOf(message)
  const lower = text.toLocaleLowerCase()
  const place = Math.max(0, ...words.map((word) => placesOf(lower, word, 1).spans[0]?.start ?? 0))
  if (text.length <= mostOfOne || place < mostOfOne / 2) return entry(message, cutMiddle(text, mostOfOne))
  const start = place - Math.floor(mostOfOne / 2)
  return entry(message, `[…] ${text.slice(start, start + mostOfOne)} […]`)
}
