import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server that runs here. */
export interface ServerProcess {
  input: Writable
  output: Readable
  /** Resolves when the program itself has ended; what it started may still be there. */
  exited: Promise<unknown>
  /** Why it ended. Resolves when none of its processes is left. */
  ended: Promise<string>
  /** The end of what it wrote to stderr, with its secrets. */
  said(): string
  /** Closes its input, waits a moment, then ends it. Resolves when none of its processes is left. */
  stop(): Promise<void>
}

/** How long a server may take to end by itself once its input is closed, and once it is told to end. */
export const graceMs = { closed: 1_000, told: 1_000 }

export async function isOverWithin(ended: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController()
  try {
    return await Promise.race([ended.then(() => true), sleep(ms, false, { signal: over.signal }).catch(() => false)])
  } finally {
    over.abort()
  }
}

/** More than is shown, so that no secret in what is shown is cut before it is masked. */
const saidCharacters = 16_000

/** Keeps the end of a text that comes in pieces. */
export function endOfText(): { add(text: string): void; text(): string } {
  let end = ''
  return {
    add: (text) => {
      end = (end + text).slice(-saidCharacters)
    },
    text: () => end.trim(),
  }
}
