import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

const perSecond = 200
const atOnce = 1_000
const mostDropped = 20_000

/** Keeps a server that talks without end from taking all our time. Answers to our own requests always pass. */
export class Flood {
  #left = atOnce
  #at = performance.now()
  #dropped = 0

  of(message: JSONRPCMessage): 'take' | 'drop' | 'too-many' {
    const now = performance.now()
    this.#left = Math.min(atOnce, this.#left + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
    if (!('method' in message)) return 'take'
    if (this.#left >= 1) {
      this.#left--
      this.#dropped = 0
      return 'take'
    }
    return ++this.#dropped > mostDropped ? 'too-many' : 'drop'
  }
}
