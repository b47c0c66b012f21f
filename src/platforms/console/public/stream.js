/**
 * Server-sent events over fetch, because EventSource can neither POST nor report that it is reconnecting.
 */

/**
 * @param {(message: { id: string, event: string, data: string }) => void} onMessage
 * @returns {(chunk: string) => void} Feed it text as it arrives, in chunks of any size.
 */
export function createParser(onMessage) {
  const lineEnd = /\r\n|\n|\r/g
  /** The line that has begun, as it came. */
  let pieces = []
  let afterReturn = false
  let atStart = true
  let id = ''
  let event = ''
  let data = []

  const dispatch = () => {
    if (data.length > 0) onMessage({ id, event: event || 'message', data: data.join('\n') })
    event = ''
    data = []
  }

  const takeLine = (line) => {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
  }

  return (chunk) => {
    let begin = 0
    if (atStart && chunk.startsWith('\uFEFF')) begin = 1
    // The last chunk ended with CR, so this LF belongs to that line end.
    else if (afterReturn && chunk.startsWith('\n')) begin = 1
    if (chunk === '') return
    atStart = false
    lineEnd.lastIndex = begin
    for (let end = lineEnd.exec(chunk); end; end = lineEnd.exec(chunk)) {
      pieces.push(chunk.slice(begin, end.index))
      takeLine(pieces.join(''))
      pieces = []
      begin = lineEnd.lastIndex
    }
    if (begin < chunk.length) pieces.push(chunk.slice(begin))
    afterReturn = chunk.endsWith('\r')
  }
}

/**
 * Reads session events off a response until it ends or `onEvent` returns true.
 * @param {Response} response
 * @param {(event: import('./turn.js').ToldEvent) => boolean | undefined} onEvent
 * @param {() => void} [onBytes] Called whenever anything arrives, including heartbeats.
 */
export async function readEvents(response, onEvent, onBytes) {
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let enough = false
  const push = createParser(({ data }) => {
    if (!enough && onEvent(JSON.parse(data))) enough = true
  })
  try {
    while (!enough) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes?.()
      push(decoder.decode(value, { stream: true }))
    }
  } finally {
    // Closing a stream doesn't stop the turn, and if closing fails, the connection is gone anyway.
    reader.cancel().catch(() => undefined)
  }
}

const patienceMs = 60_000
const longestDelayMs = 10_000
/** A connection that has lasted this long counts as one that worked, although nothing may have happened meanwhile. */
const steadyMs = 10_000

const delayMs = (failures) => Math.min(longestDelayMs, 400 * 2 ** failures) * (0.75 + Math.random() / 2)

function sleep(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish() {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    globalThis.addEventListener?.('online', finish)
    signal.addEventListener('abort', finish)
  })
}

/**
 * Follows a stream, reconnecting whenever the connection is lost and resuming from the last number seen.
 * @param {{ connect: (lastSequence: number, signal: AbortSignal) => Promise<Response>, lastSequence: number,
 *   onEvent: (event: import('./turn.js').ToldEvent) => void,
 *   onConnection: (state: 'live' | 'reconnecting') => void, isFinal: (error: unknown) => boolean,
 *   signal: AbortSignal }} options
 * @returns {Promise<void>} Resolves when aborted; rejects with an error for which `isFinal` is true.
 */
export async function follow({ connect, lastSequence, onEvent, onConnection, isFinal, signal }) {
  let last = lastSequence
  for (let failures = 0; !signal.aborted; failures += 1) {
    const attempt = new AbortController()
    const giveUp = () => attempt.abort()
    signal.addEventListener('abort', giveUp)
    let heardAt = Date.now()
    let connectedAt = Number.POSITIVE_INFINITY
    const watch = setInterval(() => {
      // After a laptop wakes up, a dead connection still looks open; reconnecting from the last number costs nothing.
      if (Date.now() - heardAt > patienceMs) giveUp()
    }, 5_000)
    try {
      const response = await connect(last, attempt.signal)
      connectedAt = Date.now()
      onConnection('live')
      await readEvents(
        response,
        (event) => {
          failures = 0
          // Streamed text isn't stored and has no number.
          if (event.event_id !== undefined) {
            if (event.event_id <= last) return
            last = event.event_id
          }
          onEvent(event)
        },
        () => {
          heardAt = Date.now()
        },
      )
    } catch (error) {
      if (!signal.aborted && isFinal(error)) throw error
    } finally {
      clearInterval(watch)
      signal.removeEventListener('abort', giveUp)
    }
    if (signal.aborted) return
    if (Date.now() - connectedAt > steadyMs) failures = 0
    onConnection('reconnecting')
    await sleep(delayMs(failures), signal)
  }
}
