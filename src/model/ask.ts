import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../kit/model/cost.ts'
import {
  type Model,
  ModelFailure,
  type ModelPatience,
  type ModelRequest,
  type Reply,
  type Usage,
} from '../kit/model/model.ts'
import { assembly } from './assemble.ts'
import { haveCost, nextTry } from './retry.ts'
import { shownText, type TextListener } from './shown-text.ts'
import { toldThoughts } from './told-thoughts.ts'
import { modelWords } from './words.ts'

/** Who hears of a reply as it comes. Each is awaited before the next. */
export interface AskListener extends TextListener {
  /** Some paragraphs of the model's reasoning. */
  thought(text: string): void | Promise<void>
  /** The first piece of an attempt's reply has come. */
  begun?(): void
  retrying(notice: RetryNotice): void | Promise<void>
}

/** `attempt` is the number of the next attempt, from 2; `attempts`: how many there are if it fails the same way. */
export interface RetryNotice {
  attempt: number
  attempts: number
  waitMs: number
  failure: ModelFailure
}

/** What tests control. `sleep` rejects with the signal's reason when it is aborted. */
export interface Pace {
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  now(): number
}

const systemPace: Pace = {
  random: Math.random,
  now: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal })
    } catch (thrown) {
      signal.throwIfAborted()
      throw thrown
    }
  },
}

/**
 * Asks until a whole reply has come. Throws the last ModelFailure when it gives up, and the signal's reason when
 * `asked.signal` is aborted; text that was shown by then stays, for the caller to keep or discard.
 */
export async function askModel(
  model: Model,
  asked: ModelRequest,
  patience: ModelPatience,
  listener: AskListener,
  pace: Pace = systemPace,
): Promise<Reply> {
  const limitMs = patience.callTimeoutMs
  const until = pace.now() + limitMs
  const limited = new AbortController()
  const request = { ...asked, signal: AbortSignal.any([asked.signal, limited.signal]) }
  const timer = setTimeout(() => limited.abort(tooLong(limitMs)), limitMs)
  try {
    return await attempts(model, request, patience, listener, { ...pace, until })
  } finally {
    clearTimeout(timer)
  }
}

const tooLong = (ms: number) =>
  new ModelFailure('hang', modelWords.attemptsTooLong({ ms: Math.round(ms / 1000) }), false)

async function attempts(
  model: Model,
  request: ModelRequest,
  patience: ModelPatience,
  listener: AskListener,
  pace: Pace & { until: number },
): Promise<Reply> {
  const text = shownText(listener)
  const thoughts = toldThoughts({ tell: (thought) => listener.thought(thought), now: () => pace.now() })
  const failures: ModelFailure[] = []
  let begun = false
  let wasted: Usage | undefined
  let isCounted = true

  async function attempt(): Promise<Reply> {
    const whole = assembly(request.mayBeEmpty)
    begun = false
    text.attemptStarts()
    thoughts.attemptStarts()
    for await (const chunk of model.stream(request)) {
      request.signal.throwIfAborted()
      if (!begun) listener.begun?.()
      begun = true
      whole.add(chunk)
      if (chunk.kind === 'thought' && chunk.wasText) await text.takenBack()
      if (chunk.kind === 'thought') await thoughts.add(chunk.text)
      else await thoughts.pause()
      if (chunk.kind === 'text') await text.add(chunk.text)
    }
    const reply = whole.reply()
    await thoughts.attemptEnds()
    await text.attemptSucceeded()
    return reply
  }

  for (;;) {
    request.signal.throwIfAborted()
    try {
      const reply = await attempt()
      return wasted === undefined ? reply : { ...reply, wasted }
    } catch (thrown) {
      const reason = request.signal.aborted ? request.signal.reason : thrown
      // Nothing may be written any more for a turn that is stopped.
      if (reason instanceof ModelFailure) await thoughts.attemptEnds()
      request.signal.throwIfAborted()
      if (!(thrown instanceof ModelFailure)) throw thrown
      failures.push(thrown)
      const { usage } = thrown
      if (usage !== undefined) wasted = wasted === undefined ? usage : sumOf(wasted, usage)
      else if (begun || haveCost([thrown])) isCounted = false
      thrown.mayHaveCost = begun || haveCost(failures)
      const next = nextTry(failures, patience, pace.random)
      if (next.do === 'give-up' || pace.now() + next.waitMs >= pace.until) {
        thrown.usage = isCounted ? wasted : undefined
        throw thrown
      }
      const { waitMs, attempts: most } = next
      await listener.retrying({ attempt: failures.length + 1, attempts: most, waitMs, failure: thrown })
      await pace.sleep(waitMs, request.signal)
    }
  }
}
