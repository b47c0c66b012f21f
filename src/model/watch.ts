import { ModelFailure, type ModelPatience } from '../kit/model/model.ts'
import { patientFetch } from './patient-fetch.ts'
import { modelWords } from './words.ts'

/** So long after its last event a response may take to end, ms. */
const goodbyeMs = 1_000

/** No reply is this large on the wire; a longer stream, or one line without an end, must not fill the memory. */
const maxWireBytes = 64 * 1024 * 1024

/** Watches one attempt: gives up if no byte comes for too long, or if it takes too long altogether. */
export interface Watch {
  signal: AbortSignal
  fetch: typeof fetch
  /** The reply itself has begun: from here on, `idleTimeoutMs` counts instead of `firstOutputTimeoutMs`. */
  begun(): void
  /** Whether what was received calls itself a page or a document, and no stream. Some servers call a stream so too. */
  isPage(): boolean
  /** Why the watch gave up, if it did. */
  failure(): ModelFailure | undefined
  end(): void
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`

export function watchAttempt(patience: ModelPatience, outer: AbortSignal): Watch {
  const own = new AbortController()
  let failure: ModelFailure | undefined
  let type = ''
  let mostIdleMs = patience.firstOutputTimeoutMs
  const giveUp = (reason: ModelFailure) => {
    failure ??= reason
    own.abort(failure)
  }

  const total = setTimeout(() => {
    giveUp(
      new ModelFailure('hang', modelWords.replyTooSlow({ totalTimeoutMs: seconds(patience.totalTimeoutMs) }), true),
    )
  }, patience.totalTimeoutMs)

  // Armed only while we wait for the endpoint: a slow reader on our side isn't its fault.
  async function idle<T>(wait: Promise<T>): Promise<T> {
    const ms = mostIdleMs
    const timer = setTimeout(() => {
      giveUp(new ModelFailure('hang', modelWords.modelSilent({ silentFor: seconds(ms) }), true))
    }, ms)
    try {
      return await wait
    } finally {
      clearTimeout(timer)
    }
  }

  function watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    let bytes = 0
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await idle(reader.read())
          if (done) return controller.close()
          bytes += value.byteLength
          if (bytes > maxWireBytes) giveUp(new ModelFailure('endless', modelWords.endlessText(), false))
          controller.enqueue(value)
        },
        // The SDK leaves at the last event. Where the response goes on, its connection would be cut off.
        cancel: () => void readToEnd(reader),
      },
      { highWaterMark: 0 },
    )
  }

  return {
    signal: AbortSignal.any([outer, own.signal]),
    async fetch(input, init) {
      const response = await idle(patientFetch(input, init))
      if (!response.body) return response
      const { status, statusText, headers } = response
      type = headers.get('content-type') ?? ''
      return new Response(watched(response.body), { status, statusText, headers })
    },
    begun() {
      mostIdleMs = patience.idleTimeoutMs
    },
    isPage: () => /^(?:text\/html|application\/json)\b/i.test(type),
    failure: () => failure,
    end: () => clearTimeout(total),
  }
}

/** Reads what is left, so that the connection can be used again. Never rejects. */
async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), goodbyeMs)
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke off, but the reply is whole.
  } finally {
    clearTimeout(timer)
  }
}
