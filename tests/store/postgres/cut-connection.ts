import { EventEmitter } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scratch } from '../../support/store.ts'

/** `asked`: the server never hears of the commit. `answered`: it commits, and nobody hears of that. */
export type Cut = 'asked' | 'answered'

/** Whether both sides notice, or the other side is gone without a word. */
type How = 'loud' | 'silent'

export interface Breakable {
  url: string
  cutNext(cut: Cut, how: How): void
  /** Nothing more comes through the connections there are, and they stay open. */
  vanish(): void
  /** The server is away, for everybody. */
  away(): Promise<void>
  back(): Promise<void>
}

/** A socket before the server's own, which breaks connections in the middle of a commit, or altogether. */
export async function breakable(url: string): Promise<Breakable> {
  const directory = await scratch()
  const host = new URL(url).searchParams.get('host') ?? ''
  const cuts: [Cut, How][] = []
  const vanishing = new EventEmitter().setMaxListeners(0)
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(join(host, '.s.PGSQL.5432'))
    let isCut = false
    let isSilent = false
    const fallSilent = () => {
      isSilent = true
    }
    vanishing.on('now', fallSilent)
    const end = () => {
      if (isSilent && open.has(client)) return
      vanishing.off('now', fallSilent)
      client.destroy()
      upstream.destroy()
      open.delete(client)
    }
    open.add(client)
    client.on('data', (bytes) => {
      if (isSilent) return
      const [cut, how] = (bytes.includes('commit\0') ? cuts.shift() : undefined) ?? []
      isSilent = how === 'silent'
      if (cut === 'asked') return end()
      isCut ||= cut === 'answered'
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isCut) end()
      else if (!isSilent) client.write(bytes)
    })
    for (const socket of [client, upstream]) socket.on('end', end).on('close', end).on('error', end)
  })
  const path = join(directory, '.s.PGSQL.5432')
  const back = () => new Promise<void>((resolve) => server.listen(path, resolve))
  const away = async () => {
    server.close()
    const ended = [...open]
    open.clear()
    for (const socket of ended) socket.destroy()
    await rm(path, { force: true })
  }
  await back()
  onTestFinished(away)
  const through = new URL(url)
  through.searchParams.set('host', directory)
  return {
    url: through.href,
    cutNext: (...cut) => void cuts.push(cut),
    vanish: () => void vanishing.emit('now'),
    away,
    back,
  }
}
