/**
 * A failure that a person or the model can act on: `code` for programs, `message` names the fact,
 * `remedy` says what to do. Everything else that is thrown is a bug or the outside world.
 */
export class Failure extends Error {
  readonly code: string
  readonly remedy: string
  /** All of its text is the program's own word: nothing in it was written by whoever was called. */
  readonly isOurs: boolean

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions & { isOurs?: boolean }) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.remedy = remedy
    this.isOurs = options?.isOurs ?? false
  }

  /** The same failure in other words, which are the program's too. */
  with({ message = this.message, remedy = this.remedy }: { message?: string; remedy?: string }): Failure {
    return new Failure(this.code, message, remedy, { cause: this, isOurs: this.isOurs })
  }
}

/** What went wrong and what to do, in whole sentences. */
export function sentencesOf({ message, remedy }: { message: string; remedy: string }): string {
  return `${message.replace(/[^.!?]$/, '$&.')} ${remedy}`.trim()
}

/** The text of anything that was thrown. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/**
 * Something that everything needs is missing for now: disk space, a writable database, descriptors. The same attempt
 * works once that is repaired, so nothing is acknowledged, refused or given up because of it.
 */
export class Unavailable extends Error {
  readonly code: string
  readonly remedy: string
  /** For people who read it after the program has ended. */
  readonly remedyAfterwards: string
  /** It may pass on its own, so work waits for it. */
  readonly passes: boolean
  /** It is about a database server, and nothing on this machine. */
  readonly isOfServer: boolean

  /** `remedy` without the full stop. */
  constructor(
    code: string,
    message: string,
    remedy: string,
    options: ErrorOptions & { passes: boolean; isOfServer?: boolean },
  ) {
    super(message, options)
    this.name = 'Unavailable'
    this.code = code
    this.remedy = options.passes ? `${remedy}; Bobbin then continues by itself.` : `${remedy}.`
    this.remedyAfterwards = options.passes ? `${remedy}, then try again.` : `${remedy}.`
    this.passes = options.passes
    this.isOfServer = options.isOfServer ?? false
  }
}

/** Whether it failed because of an outage, which work waits out. */
export const isOutage = (thrown: unknown): boolean => thrown instanceof Unavailable && thrown.passes
