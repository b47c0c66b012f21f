import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { ToldEvent } from '../../domain/events.ts'
import { besides } from '../../kit/text/text.ts'
import { cliWords } from '../words.ts'
import type { Asked } from './requests.ts'
import { eventText, plain } from './shown.ts'

/** What is on the terminal: lines of events, the text that streams, and the prompt below. */
export class Screen {
  readonly #out: NodeJS.WritableStream
  readonly #lines: Interface
  readonly #isTerminal: boolean
  /** What was entered may still be done once nothing more can be typed. */
  #isClosed = false
  #hasPrompt = false
  /** The text that streams, and how much of it is shown. */
  #text: { id: string; shown: string } | undefined
  /** Whether its last line isn't ended yet. */
  #isOpen = false
  #said = ''

  constructor(out: NodeJS.WritableStream, lines: Interface, isTerminal: boolean) {
    this.#out = out
    this.#lines = lines
    this.#isTerminal = isTerminal
    lines.once('close', () => {
      this.#isClosed = true
    })
  }

  #write(text: string): void {
    if (this.#hasPrompt) {
      // What is typed may fill several rows.
      moveCursor(this.#out, 0, -this.#lines.getCursorPos().rows)
      cursorTo(this.#out, 0)
      clearScreenDown(this.#out)
      // Readline would move up to where its line was, and clear what is written there now.
      Object.assign(this.#lines, { prevRows: 0 })
      this.#hasPrompt = false
    }
    this.#out.write(text)
  }

  /** A whole line, below what is there. */
  line(text: string): void {
    this.#endLine()
    this.#write(`${text}\n`)
    this.prompt()
  }

  /** What was being typed stays. */
  prompt(): void {
    if (!this.#isTerminal || this.#isOpen || this.#isClosed) return
    this.#lines.prompt(true)
    this.#hasPrompt = true
  }

  #endLine(): void {
    if (this.#isOpen) this.#write('\n')
    this.#isOpen = false
  }

  /** What the text has become: only what is new is written, also after another line came between. */
  #stream(id: string, whole: string): void {
    const shown = this.#text?.id === id && whole.startsWith(this.#text.shown) ? this.#text.shown : ''
    const more = plain(whole.slice(shown.length))
    this.#text = { id, shown: whole }
    if (more === '') return
    if (!this.#isOpen || shown === '') {
      this.#endLine()
      this.#write('bobbin: ')
    }
    this.#isOpen = true
    this.#write(more)
  }

  /** `about`: the request that the event is about, if it waited. */
  show(event: ToldEvent, about?: Asked): void {
    if (event.type === 'text_delta') {
      const { text_id, delta, whole } = event.data
      const before = this.#text?.id === text_id && !whole ? this.#text.shown : ''
      this.#stream(text_id, before + delta)
      return
    }
    if (event.type === 'text_end') {
      const { text_id, text, discarded } = event.data
      if (!discarded && text.trim() !== '') this.#stream(text_id, text)
      this.#said = text
      this.#endLine()
      if (discarded) this.line(`  ${cliWords.answerRestarted()}`)
      this.prompt()
      return
    }
    if (event.type === 'complete') {
      // Usually it is the last text that streamed, sometimes with a word about its lateness or its files.
      const { content } = event.data
      const more = besides(content, this.#said) ?? content
      if (more.trim() !== '') this.line(`bobbin: ${plain(more)}`)
    }
    // It has streamed, or came with its turn's end.
    if (event.type === 'message' && event.data.role === 'assistant' && event.data.turn_id !== undefined) return
    const text = eventText(event, about)
    if (text !== undefined) this.line(text)
  }
}
