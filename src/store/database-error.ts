import { asUnavailable } from '../kit/unavailable.ts'

/**
 * What a statement threw, if that is behind what was thrown. The database may have ended the transaction by then:
 * PostgreSQL refuses all that follows, and SQLite may store it alone.
 */
export function databaseError(thrown: unknown): Error | undefined {
  const fault = asUnavailable(thrown)
  if (fault !== undefined) return fault
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (isOfDriver(error)) return error
  }
  return undefined
}

/** By what their errors look like: only the driver that is used is loaded. */
const isOfDriver = (error: Error): boolean =>
  error.name === 'SqliteError' || ('severity' in error && 'routine' in error)
