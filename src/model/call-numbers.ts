import type { CallPiece } from './chunks.ts'

interface OpenCall {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  arguments: string
}

/**
 * Tells which call a piece belongs to, numbered from 0 in order of appearance. OpenAI numbers its pieces and sends id
 * and name once; other servers send no index, the same index or id for every call, or the id with every piece.
 */
export function callNumbers() {
  const calls: OpenCall[] = []

  function startsAnother(call: OpenCall, piece: CallPiece): boolean {
    if (piece.name === undefined) return false
    if (piece.id !== undefined && call.id !== undefined) return piece.id !== call.id || isSaidAnew(call, piece)
    if (piece.id !== undefined || call.id !== undefined || call.name === undefined) return false
    // Without ids, a name may begin another call, or come with every piece.
    return piece.name !== call.name || (piece.arguments !== '' && isObject(call.arguments))
  }

  /** The same id means another call if that one is whole, unless this only repeats it. */
  const isSaidAnew = (call: OpenCall, { name, arguments: more }: CallPiece): boolean =>
    isObject(call.arguments) && (name !== call.name || (more !== '' && more !== call.arguments))

  const find = (piece: CallPiece): number => {
    if (piece.index !== undefined || piece.id !== undefined) {
      const place = calls.findLastIndex((call) =>
        piece.index === undefined ? call.id === piece.id : call.index === piece.index,
      )
      const call = calls[place]
      return call && startsAnother(call, piece) ? -1 : place
    }
    return piece.name === undefined ? calls.length - 1 : -1
  }

  return {
    get count() {
      return calls.length
    },
    numberOf(piece: CallPiece): number {
      const found = find(piece)
      const place = found >= 0 ? found : calls.length
      const call = calls[place] ?? { index: piece.index, id: piece.id, name: undefined, arguments: '' }
      call.name ??= piece.name
      call.arguments += piece.arguments
      calls[place] = call
      return place
    },
  }
}

function isObject(text: string): boolean {
  if (!text.endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
