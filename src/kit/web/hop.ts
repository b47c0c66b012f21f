import { unlessAborted } from '../abort.ts'
import { timedOut } from './failures.ts'

/** Runs work that ends with `timed_out`, or with the signal's reason, whatever it is waiting for. */
export async function withinTime<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(timedOut(timeoutMs)), timeoutMs)
  try {
    const either = AbortSignal.any([signal, ending.signal])
    return await unlessAborted(either, () => work(either))
  } finally {
    clearTimeout(timer)
    // The abandoned work ends too.
    ending.abort(timedOut(timeoutMs))
  }
}

/** The first of its name. */
export function headerOf(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return Array.isArray(value) ? value[0] : value
}
