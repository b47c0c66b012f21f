import { asUnavailable } from '../kit/unavailable.ts'

/**
 * What a statement threw, if that is behind what was thrown, and the database may have ended the transaction by then:
 * PostgreSQL refuses all that follows, and SQLite may store it alone.
 */
export function databaseError(thrown: unknown): Error | undefined {
  const fault = asUnavailable(thrown)
  if (fault !== undefined) return fault
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (endsTransaction(error)) return error
  }
  return undefined
}

/** By what the drivers' errors look like: only the driver that is used is loaded. */
const endsTransaction = (error: Error): boolean =>
  error.name === 'SqliteError'
    ? !('code' in error && ofStatement.test(`${error.code}`))
    : 'severity' in error && 'routine' in error

/** After these SQLite undoes the statement alone. */
const ofStatement = /^SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG)/
