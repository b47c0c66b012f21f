/** The outcome of some work, or the signal's reason as soon as it is aborted. The work itself isn't stopped. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const outcome = work()
  if (!(outcome instanceof Promise)) return outcome
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([outcome, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
