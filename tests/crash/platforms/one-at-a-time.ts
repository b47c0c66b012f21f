/** Whoever fills in a form does nothing else until it is sent: what would they see of two? */
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
