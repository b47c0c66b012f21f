import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelChunk, ModelRequest } from '../model/model.ts'
import { silenceKept } from '../model/silence.ts'
import { tokensOfMessage, tokensOfTools } from '../model/tokens.ts'
import { situationOf } from './conversation.ts'
import { decideStep } from './decide.ts'
import type { Step } from './situation.ts'

export interface PracticeOptions {
  /** Pause after each word, ms. */
  chunkDelayMs?: number
}

const defaultDelayMs = 15

/** What people say to each other when something is done. */
const thanks =
  /^(?:(?:ok(?:ay)?|great|perfect|nice|wow)[,.!\s]+)*(?:thanks?|thank you|thx|cheers|well done|danke|谢谢)[^?]{0,60}$/i

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms === 0) return
  try {
    await sleep(ms, undefined, { signal })
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  }
}

/** Words with the space before them, so that the pieces joined are the text. */
const piecesOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? []

/** About four characters per English token: enough to show that counting works. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4)

/**
 * The model that answers if no endpoint is configured. It recognises some requests by their words, calls the real
 * tools, and says plainly what it is. No network, no memory: every reply follows from the request alone.
 */
export function practiceModel(options: PracticeOptions = {}): Model {
  const { chunkDelayMs = defaultDelayMs } = options

  async function* stream(request: ModelRequest): AsyncGenerator<ModelChunk> {
    const situation = situationOf(request.mayCall === false ? { ...request, tools: [] } : request)
    const isTalk = request.mayBeEmpty === true && thanks.test(situation.text)
    const { text, calls = [], slowness = 1 }: Step = isTalk ? { text: silenceKept } : decideStep(situation)
    for (const piece of piecesOf(text)) {
      await pause(chunkDelayMs * slowness, request.signal)
      yield { kind: 'text', text: piece }
    }
    for (const [index, { name, input }] of calls.entries()) {
      await pause(chunkDelayMs, request.signal)
      yield { kind: 'call', index, name, arguments: JSON.stringify(input) }
    }
    const input = request.messages.reduce(
      (sum, message) => sum + tokensOfMessage(message),
      tokensOfTools(request.tools),
    )
    const output = tokensOf(text + JSON.stringify(calls))
    yield { kind: 'end', finish: calls.length > 0 ? 'calls' : 'stop', usage: { input, output, cached: 0 } }
  }

  return { name: 'practice', practice: true, contextLimit: 128_000, outputLimit: 4_096, stream }
}
