import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

const [ownPort, serversPort] = [6_000, 5_432]
const socketOf = (directory: string, port: number): string => join(directory, `.s.PGSQL.${port}`)

/** Stands before the server, and can swallow its answer to a commit, which is stored then. */
export interface DatabaseProxy {
  port: number
  /** The next commits are done, and their connections break before the answer. */
  swallow(commits: number): void
  close(): void
}

export async function startProxy(directory: string): Promise<DatabaseProxy> {
  let left = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(socketOf(directory, serversPort))
    let commits = false
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end).on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.on('data', (said) => {
      if (left > 0 && said.includes('commit\0')) {
        left--
        commits = true
      }
      upstream.write(said)
    })
    upstream.on('data', (answer) => void (commits ? end() : client.write(answer)))
  })
  await new Promise<void>((resolve) => server.listen(socketOf(directory, ownPort), resolve))
  return {
    port: ownPort,
    swallow(commits) {
      left = commits
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
