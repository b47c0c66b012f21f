import type { IncomingMessage } from 'node:http'

/** How often a body that arrives is looked at, ms. */
export const usualLookMs = 10_000

/** After this many looks in a row at which too little had arrived, a body is cut. */
const mostSlow = 6

/** Less than this since the last look is too little: a slow line brings more, and whoever only holds on brings less. */
const leastBytes = 2 * 1024

/**
 * Cuts a request whose body stands still or trickles, because it would keep a file descriptor for ever. How long a
 * body takes isn't limited: a large file over a slow line takes many minutes.
 */
export function cutSlowBody(incoming: IncomingMessage, lookMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers
  if (Number(length) === 0 && encoding === undefined) return
  const { socket } = incoming
  let before = socket.bytesRead
  let slow = 0
  const timer = setInterval(() => {
    if (incoming.complete || socket.destroyed) return clearInterval(timer)
    // If something lies unread, it is the bot that is slow.
    const isSlow = socket.bytesRead - before < leastBytes && incoming.readableLength === 0
    before = socket.bytesRead
    slow = isSlow ? slow + 1 : 0
    if (slow === mostSlow) socket.destroy()
  }, lookMs)
  timer.unref()
}
