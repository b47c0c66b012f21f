import type { ModelChunk, ModelPatience, ModelRequest, ModelSlot } from '../../src/kit/model/model.ts'
import type { AskListener, Pace, RetryNotice } from '../../src/model/ask.ts'

export const slotAt = (baseUrl: string, changes: Partial<ModelSlot> = {}): ModelSlot => ({
  apiKey: 'sk-test-0123456789abcdef',
  baseUrl,
  id: 'scripted',
  contextLimit: 128_000,
  outputLimit: 4_096,
  price: undefined,
  temperature: 0.7,
  ...changes,
})

/** Too long to hit on a busy machine; tests of a timeout shorten theirs. */
export const patienceWith = (changes: Partial<ModelPatience> = {}): ModelPatience => ({
  attempts: 4,
  baseDelayMs: 100,
  maxDelayMs: 1_000,
  maxRetryAfterMs: 60_000,
  firstOutputTimeoutMs: 240_000,
  idleTimeoutMs: 240_000,
  totalTimeoutMs: 280_000,
  callTimeoutMs: 600_000,
  turnTimeoutMs: 600_000,
  ...changes,
})

export const asking = (text: string, changes: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', content: 'You are a test.' },
    { role: 'user', content: text },
  ],
  tools: [],
  signal: new AbortController().signal,
  ...changes,
})

export async function allOf(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
  return await Array.fromAsync(chunks)
}

/** A pace without randomness or real waiting, which records its waits. */
export function recordedPace(random = 1): Pace & { waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    random: () => random,
    now: () => waits.reduce((sum, ms) => sum + ms, 0),
    async sleep(ms, signal) {
      signal.throwIfAborted()
      waits.push(ms)
    },
  }
}

/** Records what a screen would have shown. */
export function recordedListener() {
  const seen: string[] = []
  const retries: RetryNotice[] = []
  const listener: AskListener = {
    thought: (text) => void seen.push(`thought: ${text}`),
    textStarted: () => void seen.push('started'),
    textDelta: (delta) => void seen.push(delta),
    textDiscarded: () => void seen.push('discarded'),
    retrying: (notice) => void retries.push(notice),
  }
  return { seen, retries, listener }
}
