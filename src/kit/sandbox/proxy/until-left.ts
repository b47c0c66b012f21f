import type { Socket } from 'node:net'

/** Aborted when a program ends its connection. */
export function untilLeft(near: Socket): AbortSignal {
  const left = new AbortController()
  const leave = () => left.abort()
  near.once('end', leave).once('close', leave)
  return left.signal
}
