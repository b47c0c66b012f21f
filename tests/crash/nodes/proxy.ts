import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

const [ownPort, serversPort] = [6_000, 5_432]
const socketOf = (directory: string, port: number): string => join(directory, `.s.PGSQL.${port}`)

/** Stands before the server, and can swallow its answer to a commit, which is stored then. */
export interface DatabaseProxy {
  port: number
  /**
   * This many commits are done, and their connections break before the answer: every other one is of what a turn does,
   * because much else is simply done again. Resolves after the last of them.
   */
  swallow(commits: number): Promise<void>
  close(): void
}

export async function startProxy(directory: string): Promise<DatabaseProxy> {
  let left = 0
  let last = () => {}
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
    let ofTurn = false
    client.on('data', (said) => {
      ofTurn = (ofTurn && !said.includes('begin;')) || said.includes('insert into "calls"')
      if (left > 0 && said.includes('commit\0') && (ofTurn || left % 2 === 0)) {
        left--
        commits = true
        if (left === 0) last()
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
      return new Promise((resolve) => {
        last = resolve
      })
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
