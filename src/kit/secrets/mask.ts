/** A secret in a text: from `start` to before `end`, in UTF-16 units. `kind` is for people: `a GitHub token`. */
export interface FoundSecret {
  start: number
  end: number
  kind: string
}

/** Masks a text that comes in pieces: a possible beginning of a secret is held back until more has come. */
export interface StreamMask {
  push(piece: string): string
  end(): string
}

/** Finds and masks secrets. The bot's own are known by value, in any common encoding; others by their form. */
export interface Secrets {
  find(text: string): FoundSecret[]
  /** Each secret is replaced by `[secret: a GitHub token]`. Returns the same text if there is none. */
  mask(text: string): string
}
