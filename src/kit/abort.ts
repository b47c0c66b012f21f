/** The outcome of some work, or the signal's reason as soon as it is aborted. The work itself isn't stopped. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const abort = () => aborted.reject(signal.reason)
  // Before the work listens too: what it says because it was aborted comes later.
  signal.addEventListener('abort', abort, { once: true })
  try {
    const outcome = work()
    return outcome instanceof Promise ? await Promise.race([outcome, aborted.promise]) : outcome
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
