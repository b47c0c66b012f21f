import type { Socket } from 'node:net'

/** Some work for a program, with a signal that is aborted when the program’s connection ends. */
export async function whileOpen<T>(near: Socket, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const left = new AbortController()
  const leave = () => left.abort()
  near.once('end', leave).once('close', leave)
  try {
    return await work(left.signal)
  } finally {
    near.off('end', leave).off('close', leave)
  }
}
