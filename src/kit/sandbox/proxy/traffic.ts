import type { Socket } from 'node:net'

/** What the sockets of one proxy transfer together. */
export interface Traffic {
  isOver(): boolean
  /** Counts a socket's traffic, and handles its errors. */
  add(socket: Socket): void
  end(): void
}

/** Adds up what sockets transfer, and reports once when that is too much. */
export function countTraffic(maxBytes: number, over: () => void): Traffic {
  const sockets = new Set<Socket>()
  let doneBytes = 0
  const carried = (socket: Socket): number => socket.bytesRead + socket.bytesWritten
  const isOver = (): boolean => [...sockets].reduce((sum, socket) => sum + carried(socket), doneBytes) > maxBytes
  const timer = setInterval(() => {
    if (!isOver()) return
    for (const socket of sockets) socket.destroy()
    over()
  }, 100)
  return {
    isOver,
    add: (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        doneBytes += carried(socket)
        sockets.delete(socket)
      })
    },
    end: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}
