import { type ModelChunk, ModelFailure, type Usage } from '../kit/model/model.ts'
import { mostCharactersPerToken } from '../kit/model/tokens.ts'
import { callNumbers } from './call-numbers.ts'
import { parseChunk } from './chunks.ts'
import { thinkTags } from './think-tags.ts'
import { modelWords } from './words.ts'

type End = Extract<ModelChunk, { kind: 'end' }>

const maxCalls = 256
/** A minimum for models whose output limit is only a guess. */
const leastCharacters = 100_000

/** Some servers finish with "stop" although they sent calls: what was sent counts. */
function finishOf(word: string, calls: number): End['finish'] {
  if (word === 'length' || word === 'max_tokens') return 'length'
  if (word === 'content_filter') return 'filter'
  return calls > 0 ? 'calls' : 'stop'
}

const endless = (what: string) => new ModelFailure('endless', modelWords.endlessReply({ what }), false)

/**
 * Yields the pieces of one streamed completion and returns its end, or `broken off`, or `nothing` if it had none.
 * `begun` is called after the first piece, and may be called again.
 * Errors after the finish reason no longer matter: the reply is whole.
 */
export async function* readReply(
  events: AsyncIterable<unknown>,
  outputLimit: number,
  begun: () => void,
): AsyncGenerator<ModelChunk, End | 'broken off' | 'nothing'> {
  const maxCharacters = Math.max(outputLimit * mostCharactersPerToken, leastCharacters)
  const numbers = callNumbers()
  const tags = thinkTags()
  let characters = 0
  let any = false
  let word: string | undefined
  let usage: Usage | undefined

  try {
    for await (const event of events) {
      any = true
      const chunk = parseChunk(event)
      word ??= chunk.finish
      usage = chunk.usage ?? usage
      characters += chunk.text.length + chunk.thought.length
      if (chunk.thought !== '') {
        tags.needless()
        yield { kind: 'thought', text: chunk.thought, ...(chunk.thoughtWanted && { wanted: true }) }
      }
      yield* tags.add(chunk.text)
      for (const piece of chunk.calls) {
        const { index, more } = numbers.add(piece)
        if (numbers.count > maxCalls) throw endless('calling tools')
        characters += piece.arguments.length
        const { name, extra } = piece
        yield { kind: 'call', index, ...(name !== undefined && { name }), arguments: more, ...(extra && { extra }) }
      }
      if (characters > 0 || numbers.count > 0) begun()
      if (characters > maxCharacters) throw endless('talking')
    }
  } catch (thrown) {
    if (word === undefined) throw thrown
  }

  if (word === undefined) return any ? 'broken off' : 'nothing'
  yield* tags.end()
  if (word === 'error') throw new ModelFailure('unavailable', modelWords.failedMidReply(), true)
  return { kind: 'end', finish: finishOf(word, numbers.count), ...(usage && { usage }) }
}
