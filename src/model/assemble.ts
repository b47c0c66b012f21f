import { type ModelChunk, ModelFailure, type Reply } from '../kit/model/model.ts'
import { modelWords } from './words.ts'

type CallChunk = Extract<ModelChunk, { kind: 'call' }>

/** Puts a reply together from its chunks. */
export function assembly(emptyIsFine = false) {
  let text = ''
  let thought = ''
  let thoughtWanted = false
  // By index, in order of appearance.
  const calls = new Map<number, Reply['calls'][number]>()
  let end: Extract<ModelChunk, { kind: 'end' }> | undefined

  function addCall(piece: CallChunk) {
    const call = calls.get(piece.index) ?? { name: '', arguments: '' }
    call.name ||= piece.name ?? ''
    call.arguments += piece.arguments ?? ''
    if (piece.extra !== undefined) call.extra ??= piece.extra
    calls.set(piece.index, call)
  }

  return {
    add(chunk: ModelChunk) {
      if (chunk.kind === 'text') text += chunk.text
      else if (chunk.kind === 'thought') {
        if (chunk.wasText) text = ''
        thought += chunk.text
        thoughtWanted ||= chunk.wanted === true
      } else if (chunk.kind === 'call') addCall(chunk)
      else end = chunk
    },
    /** Throws ModelFailure `cut` if the end never came, `empty` if nothing usable was said. */
    reply(): Reply {
      if (end === undefined) throw new ModelFailure('cut', modelWords.replyCut(), true)
      const { finish, usage } = end
      // It ran out of tokens or was filtered, so another attempt wouldn't get any further.
      const mayBeEmpty = emptyIsFine || finish === 'length' || finish === 'filter'
      // Some servers announce a call and then make none.
      const made = [...calls.values()].filter((call) => call.name !== '' || call.arguments !== '')
      if (!mayBeEmpty && text.trim() === '' && made.length === 0) {
        throw new ModelFailure('empty', modelWords.emptyReply(), true, undefined, { usage })
      }
      return {
        text,
        thought,
        ...(thoughtWanted && { thoughtWanted }),
        calls: made,
        finish,
        ...(usage && { usage }),
      }
    },
  }
}
