import { lookup } from 'node:dns/promises'

/** A name's addresses. What is aborted before its turn comes isn't asked. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

/** One look-up at a time: the others wait. */
export function oneByOne(lookUp: (name: string) => Promise<string[]>): Resolve {
  let last: Promise<unknown> = Promise.resolve()
  return (name, signal) => {
    const found = last.then(() => {
      signal.throwIfAborted()
      return lookUp(name)
    })
    last = found.catch(() => {})
    return found
  }
}

/**
 * Names that come from pages, people or programs, as the system knows them. For the whole process, the system looks up
 * two names at a time (half of libuv's pool of four threads), and a name whose servers don't answer takes 10 s or more.
 * One at a time leaves the other place to the bot's own: its model, its platforms, its database.
 */
export const foreignNames: Resolve = oneByOne(async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address),
)
