/** Where streamed text goes. All may be asynchronous; each is awaited before the next. */
export interface TextListener {
  textStarted(): void | Promise<void>
  textDelta(delta: string): void | Promise<void>
  /** Discards what was shown since `textStarted`. */
  textDiscarded(): void | Promise<void>
}

/**
 * What people see of a reply, over several attempts at it. A new attempt stays silent while it repeats what has been
 * shown, and continues from there. Where it differs, the shown text is discarded and it starts over.
 */
export function shownText(listener: TextListener) {
  let shown = ''
  let received = ''
  /** Everything received has been shown: what comes next doesn't have to be compared. */
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
    /** What the attempt has said so far wasn't for people. */
    async takenBack() {
      received = ''
      inStep = true
      if (shown === '') return
      shown = ''
      await listener.textDiscarded()
    },
    /** The attempt is complete: what it said is what is shown, even if it said less than the one before. */
    async attemptSucceeded() {
      if (shown !== received) await startAnew()
    },
  }
}
