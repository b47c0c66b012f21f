/** Where streamed text goes. All may be asynchronous; each is awaited before the next. */
export interface TextListener {
  textStarted(): void | Promise<void>
  textDelta(delta: string): void | Promise<void>
  /** What was shown since `textStarted` does not count. */
  textDiscarded(): void | Promise<void>
}

/**
 * What people see of a reply, over several attempts at it. A new attempt is silent while it repeats what is shown
 * already, and goes on from there; where it says something else, the shown text is discarded and it starts anew.
 */
export function shownText(listener: TextListener) {
  let shown = ''
  let received = ''
  /** All that was received is shown: what comes next need not be compared. */
  let inStep = true

  async function show(delta: string) {
    if (delta === '') return
    if (shown === '') await listener.textStarted()
    shown += delta
    await listener.textDelta(delta)
  }

  async function startAnew() {
    await listener.textDiscarded()
    shown = ''
    await show(received)
  }

  return {
    attemptStarts() {
      received = ''
      inStep = shown === ''
    },
    async add(delta: string) {
      received += delta
      if (inStep) return show(delta)
      if (!shown.startsWith(received)) {
        const rest = received.startsWith(shown) ? received.slice(shown.length) : undefined
        await (rest === undefined ? startAnew() : show(rest))
      }
      inStep = received.length >= shown.length
    },
    /** The attempt is whole: what it said is what is shown, also when it said less than the one before. */
    async attemptSucceeded() {
      if (shown !== received) await startAnew()
    },
  }
}
