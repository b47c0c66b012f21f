import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../kit/log.ts'
import type { SlackApi } from '../api/api.ts'
import { isAnswer, isPassing, reasonIn } from '../api/errors.ts'
import { putUpload } from '../files/upload.ts'
import { slackWords } from '../words/words.ts'
import type { HeardElsewhere } from './heard-elsewhere.ts'

export interface EchoOptions {
  api: SlackApi
  log: Log
  /** How long Slack may take to report a file, ms. */
  echoMs: number
  /** How long the upload may take, ms. */
  uploadMs: number
  /** Until Slack has reported one, this is how often it is asked after the first few times, ms. */
  echoRestMs: number
  /** If there are several processes: what they hear of each other's files. */
  elsewhere: HeardElsewhere | undefined
  /** Whether what another process hears counts: requests go to any of them, but a connection is each one's own. */
  isShared: boolean
}

/** `unknown`: nothing can be concluded, because Slack wasn't reached, or never reports its files to this app. */
export type Answer = 'heard' | 'missing' | 'unknown'

/** After this many misses in a row, the app counts as not subscribed. */
const mostMisses = 3
/** While others hear of so many of our files in a row, a connection that brings nothing is deaf, not out of luck. */
const mostElsewhere = 10

const text = new TextEncoder().encode(`${slackWords.echoFile()}\n`)

/**
 * Checks whether events still arrive: Slack reports to an app each file that its bot uploads (`file_created`), even one
 * shared with nobody. So a file that no person sees is uploaded and deleted. Silence means something only if the latest
 * file was reported: an app that isn't subscribed to the event would otherwise get a new connection every minute.
 */
export class Echo {
  readonly #options: EchoOptions
  readonly #waiting = new Map<string, () => void>()
  /** Files that could not be deleted. */
  readonly #left = new Set<string>()
  #proven = false
  #misses = 0
  #elsewhere = 0
  #notBefore = 0
  #asking: Promise<Answer> | undefined

  constructor(options: EchoOptions) {
    this.#options = options
  }

  /** Slack reports a file of this app. */
  heard(file: string): void {
    const { elsewhere, log } = this.#options
    const own = this.#waiting.get(file)
    this.#misses = 0
    this.#notBefore = 0
    this.#elsewhere = 0
    own?.()
    if (own !== undefined || elsewhere === undefined) return
    elsewhere.note(file).catch((thrown) => {
      log.debug({ platform: 'slack', reason: reasonIn(thrown) }, 'a connection check of another bot was not noted')
    })
  }

  /** A miss means nothing again until one has arrived. */
  doubt(): void {
    this.#proven = false
  }

  /** Never throws. One at a time: if Slack is slow, several would count as misses in a row. */
  async ask(): Promise<Answer> {
    if (Date.now() < this.#notBefore) return 'unknown'
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<Answer> {
    try {
      const came = await this.#comesBack()
      if (came === true || (came && this.#options.isShared)) {
        // One that comes late proves nothing: the next one would be taken for missing.
        this.#proven = true
        this.#misses = 0
        return 'heard'
      }
      if (came === 'elsewhere') {
        this.#elsewhere = (this.#elsewhere + 1) % mostElsewhere
        return this.#elsewhere === 0 ? 'missing' : 'unknown'
      }
    } catch (thrown) {
      this.#options.log.debug({ platform: 'slack', reason: reasonIn(thrown) }, 'the connection could not be checked')
      return 'unknown'
    }
    if (this.#proven) return 'missing'
    if (++this.#misses === mostMisses) {
      const { isShared, log } = this.#options
      const remedy = slackWords[isShared ? 'echoNotSentRemedy' : 'echoMissedRemedy']()
      // Over HTTP, perhaps nothing arrives at all.
      log[isShared ? 'warn' : 'info'](
        { platform: 'slack', remedy },
        'it may take long to notice that events no longer arrive',
      )
    }
    if (this.#misses >= mostMisses) this.#notBefore = Date.now() + this.#options.echoRestMs
    return 'unknown'
  }

  /** `elsewhere`: another process heard of it, which by itself says nothing about the connection of this one. */
  async #comesBack(): Promise<boolean | 'elsewhere'> {
    const { api, echoMs, uploadMs, elsewhere } = this.#options
    const place = await api.once((client) =>
      client.files.getUploadURLExternal({ filename: 'connection-check.txt', length: text.byteLength }),
    )
    const { file_id: id, upload_url: url } = place
    if (id === undefined || url === undefined) throw new Error('Slack returned no upload address')
    const { promise: came, resolve } = Promise.withResolvers<true>()
    this.#waiting.set(id, () => resolve(true))
    const patience = new AbortController()
    try {
      await putUpload(url, text, uploadMs)
      this.#left.add(id)
      await api.once((client) => client.files.completeUploadExternal({ files: [{ id, title: 'Connection check' }] }))
      const tooLate = sleep(echoMs, false, { signal: patience.signal, ref: false }).catch(() => false)
      const isHeard = await Promise.race([came, tooLate])
      return !isHeard && (await elsewhere?.has(id)) ? 'elsewhere' : isHeard
    } finally {
      patience.abort()
      this.#waiting.delete(id)
      await this.#deleteLeft()
    }
  }

  async #deleteLeft(): Promise<void> {
    for (const file of this.#left) {
      this.#left.delete(file)
      try {
        await this.#options.api.once((client) => client.files.delete({ file }))
      } catch (thrown) {
        const reason = reasonIn(thrown)
        this.#options.log.debug({ platform: 'slack', reason }, 'a file of a connection check was not deleted')
        // It may be gone already, or will never be deleted.
        if (isAnswer(thrown) && !isPassing(thrown)) continue
        // Next time, the others come first.
        this.#left.add(file)
        return
      }
    }
  }
}
