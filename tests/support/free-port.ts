import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 for what can't choose one itself, or where nobody is to listen. It is above 10080, which `fetch`
 * refuses, and below Linux's usual ephemeral ports, because one of those may be anybody's a moment later. A UDP socket
 * with the same number keeps it from others that ask here, until the process ends.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_000)
    if ((await isKept(port)) && (await isFree(port))) return port
  }
}

/** For a bot that is to have the same port again after a restart. */
export const portOfItsOwn = async () => ({ BOBBIN_PORT: `${await freePort()}` })

async function isKept(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  socket.bind(port, '127.0.0.1')
  try {
    await once(socket, 'listening')
    socket.unref()
    return true
  } catch {
    socket.close()
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
