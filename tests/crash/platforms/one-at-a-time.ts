/** A person can only have one form open, so they do nothing else until it is submitted. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>()

  do<T>(user: string, what: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(user) ?? Promise.resolve()).then(what)
    this.#last.set(
      user,
      done.catch(() => {}),
    )
    return done
  }
}
