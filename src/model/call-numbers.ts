import type { CallPiece } from './chunks.ts'

interface OpenCall {
  index: number | undefined
  id: string | undefined
}

/**
 * Tells which call a piece belongs to, numbered from 0 in order of appearance. OpenAI numbers its pieces and sends id
 * and name once; other servers send no index, the same index for every call, or the id with every piece.
 */
export function callNumbers() {
  const calls: OpenCall[] = []

  const startsAnother = (call: OpenCall, piece: CallPiece) =>
    piece.id !== undefined && call.id !== undefined && piece.id !== call.id && piece.name !== undefined

  const find = (piece: CallPiece): number => {
    if (piece.index !== undefined) {
      const place = calls.findLastIndex((call) => call.index === piece.index)
      const call = calls[place]
      return call && startsAnother(call, piece) ? -1 : place
    }
    if (piece.id !== undefined) return calls.findLastIndex((call) => call.id === piece.id)
    return piece.name === undefined ? calls.length - 1 : -1
  }

  return {
    get count() {
      return calls.length
    },
    numberOf(piece: CallPiece): number {
      const place = find(piece)
      if (place >= 0) return place
      calls.push({ index: piece.index, id: piece.id })
      return calls.length - 1
    },
  }
}
