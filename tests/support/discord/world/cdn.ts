import { createHmac, randomBytes } from 'node:crypto'
import type { Attachment, UploadedFile } from './types.ts'

/** Files behind addresses that expire, like those of Discord's CDN. */
export class Cdn {
  readonly #files = new Map<string, UploadedFile>()
  readonly #secret = randomBytes(16)
  readonly #lifetimeMs: number
  #validFrom = 0
  /** Set once the server is listening. */
  origin = ''

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs
  }

  store(id: string, file: UploadedFile): void {
    this.#files.set(id, file)
  }

  content(id: string): Buffer {
    return this.#files.get(id)?.content ?? Buffer.alloc(0)
  }

  /** A fresh address, as Discord sends with every response and event. */
  address(attachment: Attachment): string {
    const now = Date.now()
    const [expires, issued] = [now + this.#lifetimeMs, now].map((ms) => Math.floor(ms).toString(16))
    const { ephemeral, channelId, id, filename } = attachment
    const path = `/${ephemeral ? 'ephemeral-attachments' : 'attachments'}/${channelId}/${id}/${encodeURIComponent(filename)}`
    return `${this.origin}${path}?ex=${expires}&is=${issued}&hm=${this.#sign(path, expires ?? '')}&`
  }

  /** The file at an address; nothing if the address expired or was altered, or the file is gone. */
  fetch(url: URL): UploadedFile | undefined {
    const expires = url.searchParams.get('ex') ?? ''
    if (url.searchParams.get('hm') !== this.#sign(url.pathname, expires)) return undefined
    if (Number.parseInt(expires, 16) < Date.now()) return undefined
    if (Number.parseInt(url.searchParams.get('is') ?? '', 16) < this.#validFrom) return undefined
    return this.#files.get(url.pathname.split('/')[3] ?? '')
  }

  /** Expires every address given out so far. */
  expire(): void {
    this.#validFrom = Date.now() + 1
  }

  #sign(path: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${path}?${expires}`).digest('hex')
  }
}
