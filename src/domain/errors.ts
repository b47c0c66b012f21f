/**
 * A failure that a person or the model can act on: `code` for programs, `message` names the fact,
 * `remedy` says what to do. Everything else that is thrown is a bug or the outside world.
 */
export class BobbinError extends Error {
  readonly code: string
  readonly remedy: string

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BobbinError'
    this.code = code
    this.remedy = remedy
  }
}

/** The text of anything that was thrown. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** A write of a turn whose lease another process holds by now. It ends the work quietly: nothing was written. */
export class LeaseLost extends Error {
  constructor(session: string) {
    super(`another process runs session ${session} now`)
    this.name = 'LeaseLost'
  }
}
