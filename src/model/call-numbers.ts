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
    return piece.name !== call.name || (piece.arguments.trim() !== '' && hasArguments(call.arguments))
  }

  /** The same id means another call if that one is whole, unless this only repeats it, or ends it with a blank. */
  const isSaidAnew = (call: OpenCall, piece: CallPiece): boolean =>
    piece.name === call.name
      ? hasArguments(call.arguments) && piece.arguments.trim() !== '' && !repeats(call, piece)
      : isObject(call.arguments)

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
    /** What the piece adds to which call: nothing if it repeats a whole one. */
    add(piece: CallPiece): { index: number; more: string } {
      const found = find(piece)
      const index = found >= 0 ? found : calls.length
      const call = calls[index] ?? { index: piece.index, id: piece.id, name: undefined, arguments: '' }
      const more = repeats(call, piece) ? '' : piece.arguments
      call.name ??= piece.name
      call.arguments += more
      calls[index] = call
      return { index, more }
    },
  }
}

const repeats = (call: OpenCall, { name, arguments: said }: CallPiece): boolean =>
  name !== undefined && name === call.name && isObject(said) && said.trim() === call.arguments.trim()

/** Some bridges begin every call with `{}`. What follows makes it no JSON, so that nothing runs twice. */
const hasArguments = (text: string): boolean => isObject(text) && text.trim() !== '{}'

function isObject(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
