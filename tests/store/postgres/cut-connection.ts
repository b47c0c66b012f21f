import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scratch } from '../../support/store.ts'

/** `asked`: the server never hears of the commit. `answered`: it commits, and nobody hears of that. */
export type Cut = 'asked' | 'answered'

export interface Breakable {
  url: string
  cutNext(cut: Cut): void
  /** The server is away, for everybody. */
  away(): Promise<void>
  back(): Promise<void>
}

/** A socket before the server's own, which breaks connections in the middle of a commit, or altogether. */
export async function breakable(url: string): Promise<Breakable> {
  const directory = await scratch()
  const host = new URL(url).searchParams.get('host') ?? ''
  const cuts: Cut[] = []
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(join(host, '.s.PGSQL.5432'))
    let isCut = false
    const end = () => {
      client.destroy()
      upstream.destroy()
      open.delete(client)
    }
    open.add(client)
    client.on('data', (bytes) => {
      const cut = bytes.includes('commit\0') ? cuts.shift() : undefined
      if (cut === 'asked') return end()
      isCut ||= cut === 'answered'
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => (isCut ? end() : client.write(bytes)))
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end)
  })
  const path = join(directory, '.s.PGSQL.5432')
  const back = () => new Promise<void>((resolve) => server.listen(path, resolve))
  const away = async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await rm(path, { force: true })
  }
  await back()
  onTestFinished(away)
  const through = new URL(url)
  through.searchParams.set('host', directory)
  return { url: through.href, cutNext: (cut) => void cuts.push(cut), away, back }
}
