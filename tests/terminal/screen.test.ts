import { createInterface } from 'node:readline'
import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { Screen } from '../../src/cli/chat/screen.ts'
import { eventually } from '../support/until.ts'

const columns = 20

const orders = new RegExp(`${String.fromCharCode(27)}\\[\\d*[A-Z]|[\\s\\S]`, 'gi')

/** A terminal that knows what readline uses: moving the cursor, clearing, and wrapping at its edge. */
class FakeTerminal extends Writable {
  readonly columns = columns
  readonly #rows: string[] = ['']
  #row = 0
  #column = 0

  get text(): string {
    return this.#rows.map((row) => row.trimEnd()).join('\n')
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    for (const part of piece.toString().match(orders) ?? []) this.#take(part)
    done()
  }

  #take(part: string): void {
    const [, count = '', order] = /^.\[(\d*)(\w)$/s.exec(part) ?? []
    const by = Number(count || 1)
    if (part === '\r') this.#column = 0
    else if (part === '\n') this.#newLine()
    else if (order === 'A') this.#row = Math.max(0, this.#row - by)
    else if (order === 'B') this.#row += by
    else if (order === 'C') this.#column += by
    else if (order === 'D') this.#column = Math.max(0, this.#column - by)
    else if (order === 'G') this.#column = by - 1
    else if (order === 'J') {
      this.#put(this.#before())
      this.#rows.length = this.#row + 1
    } else if (order === 'K') this.#put(count === '2' ? '' : this.#before())
    else if (order === undefined) this.#type(part)
  }

  #newLine(): void {
    this.#row++
    this.#column = 0
    this.#rows[this.#row] ??= ''
  }

  #before = (): string => (this.#rows[this.#row] ?? '').slice(0, this.#column)

  #put(text: string): void {
    this.#rows[this.#row] = text
  }

  #type(character: string): void {
    if (this.#column === columns) this.#newLine()
    const row = this.#rows[this.#row] ?? ''
    this.#put(this.#before().padEnd(this.#column) + character + row.slice(this.#column + 1))
    this.#column++
  }
}

test('what comes in while a long line is typed stands once, and so does the line', async () => {
  const terminal = new FakeTerminal()
  const keys = new PassThrough()
  const lines = createInterface({ input: keys, output: terminal, terminal: true, prompt: '> ' })
  const screen = new Screen(terminal, lines, true)
  screen.prompt()
  const draft = 'this line is longer than two rows of it'
  keys.write(draft)
  await eventually(() => expect(lines.line).toBe(draft))
  screen.line('first in')
  screen.line('second in')
  lines.close()
  expect(terminal.text).toBe('first in\nsecond in\n> this line is longe\nr than two rows of i\nt')
})

test.for([
  ['All done.\n\n3 more files aren’t attached.', '3 more files aren’t attached.'],
  ['_ana wrote this 3 days ago._\n\nAll done.', '_ana wrote this 3 days ago._'],
  ['_ana wrote this 3 days ago._\n\nAll done.\n\n3 more.', '_ana wrote this 3 days ago._\n\n3 more.'],
  ['All done. Not quite.', 'All done. Not quite.'],
])('of %j, what has streamed stands once', ([content, shown]) => {
  const out = new PassThrough()
  const screen = new Screen(out, createInterface({ input: new PassThrough(), output: out }), false)
  const tell = (type: string, data: object) => screen.show({ type, data } as never)
  tell('text_end', { text_id: 'text_1_1', text: 'All done. ' })
  tell('complete', { content, files: [] })
  expect(`${out.read()}`).toBe(`bobbin: All done. \nbobbin: ${shown}\n`)
})
