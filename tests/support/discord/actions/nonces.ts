import type { Message } from '../world/types.ts'

/** Which message an author sent with which nonce, for some minutes. */
export class Nonces {
  readonly #known = new Map<string, { message: Message; at: number }>()
  readonly #memoryMs: number

  constructor(memoryMs: number) {
    this.#memoryMs = memoryMs
  }

  find(authorId: string, nonce: string | number): Message | undefined {
    const known = this.#known.get(`${authorId} ${nonce}`)
    return known && Date.now() - known.at < this.#memoryMs ? known.message : undefined
  }

  remember(authorId: string, nonce: string | number, message: Message): void {
    this.#known.set(`${authorId} ${nonce}`, { message, at: Date.now() })
  }
}
