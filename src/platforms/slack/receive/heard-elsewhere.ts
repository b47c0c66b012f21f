import { z } from 'zod'
import type { Notes } from '../../platform.ts'
import { readJson } from '../../read-json.ts'

/** A file is asked for within seconds, so a few are enough. */
const most = 50

const noted = z.array(z.string())

/** Files of connection checks of other processes: Slack gives each event to any one of the app's connections. */
export class HeardElsewhere {
  readonly #notes: Notes
  readonly #name: string
  #noting: Promise<void> = Promise.resolve()

  /** The name of a note that all processes share. */
  constructor(notes: Notes, name: string) {
    this.#notes = notes
    this.#name = name
  }

  /** Two processes that note at the same moment may lose a file, which costs one of them a new connection. */
  note(file: string): Promise<void> {
    const done = this.#noting.then(async () =>
      this.#notes.set(this.#name, JSON.stringify([...(await this.#all()), file].slice(-most))),
    )
    this.#noting = done.catch(() => {})
    return done
  }

  /** Whether another process heard of our file. */
  async has(file: string): Promise<boolean> {
    return (await this.#all()).includes(file)
  }

  async #all(): Promise<string[]> {
    return readJson(await this.#notes.get(this.#name), noted) ?? []
  }
}
