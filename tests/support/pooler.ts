import { randomBytes } from 'node:crypto'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scratch } from './store.ts'

// Does what PgBouncer does in transaction mode: a client has a connection of the server only for a transaction, and the
// next one may be another. Nothing is reset in between, so whatever relies on a session fails here as it does there.

const socketName = '.s.PGSQL.5432'
const readyForQuery = 'Z'
const idle = 'I'
/** A client ends with it. */
const terminate = 'X'
/** Each of these is answered by one ReadyForQuery: a simple query, and the end of an extended one. */
const asking = new Set(['Q', 'S'])

/** Cuts a stream into messages: a letter, the length of what follows it, and that. */
class Messages {
  #rest = Buffer.alloc(0)

  /** `letter`: whether they begin with one; a client's first message doesn't. */
  take(letter = true): Buffer | undefined {
    const start = letter ? 1 : 0
    if (this.#rest.length < start + 4) return undefined
    const length = start + this.#rest.readInt32BE(start)
    if (this.#rest.length < length) return undefined
    const message = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return message
  }

  add(piece: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, piece])
  }
}

/** By which a client could cancel a statement: PgBouncer gives its own, not the server's. */
const keyData = 'K'
const ownKey = (): Buffer => Buffer.concat([Buffer.from([keyData.charCodeAt(0), 0, 0, 0, 12]), randomBytes(8)])

const letterOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0)

interface Backend {
  socket: Socket
  /** What the server says to somebody who connects, up to the first ReadyForQuery. */
  greeting: Buffer
  /** Who has it now. */
  tell: (message: Buffer) => void
}

/** The connections to the server. */
class Backends {
  readonly #path: string
  readonly #most: number
  readonly #free: Backend[] = []
  readonly #waiting: ((backend: Backend) => void)[] = []
  readonly #sockets = new Set<Socket>()
  opened = 0
  lent = 0

  constructor(path: string, most: number) {
    this.#path = path
    this.#most = most
  }

  async take(startup: Buffer): Promise<Backend> {
    this.lent++
    // The one that rested longest, so that a client rarely gets the same one again.
    const free = this.#free.shift()
    if (free !== undefined) return free
    if (this.#sockets.size < this.#most) return this.#open(startup)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  give(backend: Backend): void {
    backend.tell = () => {}
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(backend)
    else next(backend)
  }

  async #open(startup: Buffer): Promise<Backend> {
    const socket = createConnection(this.#path)
    this.#sockets.add(socket)
    this.opened++
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    const { promise, resolve } = Promise.withResolvers<Backend>()
    const said: Buffer[] = []
    const backend: Backend = {
      socket,
      greeting: Buffer.alloc(0),
      tell(message) {
        said.push(letterOf(message) === keyData ? ownKey() : message)
        if (letterOf(message) !== readyForQuery) return
        backend.greeting = Buffer.concat(said)
        resolve(backend)
      },
    }
    const messages = new Messages()
    socket.on('data', (piece) => {
      messages.add(piece)
      for (let message = messages.take(); message !== undefined; message = messages.take()) backend.tell(message)
    })
    socket.write(startup)
    return promise
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** Serves one client, with its startup message still to come. */
async function serve(client: Socket, backends: Backends): Promise<void> {
  const messages = new Messages()
  let startup: Buffer | undefined
  let backend: Backend | undefined
  let unanswered = 0
  const answer = (message: Buffer) => {
    client.write(message)
    if (letterOf(message) !== readyForQuery || --unanswered > 0 || String.fromCharCode(message[5] ?? 0) !== idle) return
    if (backend !== undefined) backends.give(backend)
    backend = undefined
  }
  client.on('error', () => {})
  // In the middle of a transaction, only the server can undo it.
  client.on('close', () => backend?.socket.destroy())
  for await (const piece of client) {
    messages.add(piece)
    for (;;) {
      const message = messages.take(startup !== undefined)
      if (message === undefined) break
      if (startup !== undefined && letterOf(message) === terminate) return void client.end()
      backend ??= await backends.take(startup ?? message)
      if (startup === undefined) {
        startup = message
        client.write(backend.greeting)
        backends.give(backend)
        backend = undefined
        continue
      }
      backend.tell = answer
      if (asking.has(letterOf(message))) unanswered++
      backend.socket.write(message)
    }
  }
}

/** The address of a database behind a pooler that has only so many connections to it. */
export async function throughPooler(url: string, most: number): Promise<{ url: string; backends: Backends }> {
  const behind = new URL(url)
  const backends = new Backends(join(behind.searchParams.get('host') ?? '', socketName), most)
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    serve(client, backends).catch(() => client.destroy())
  })
  const directory = await scratch()
  await new Promise<void>((resolve) => server.listen(join(directory, socketName), resolve))
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
    backends.close()
  })
  return { url: url.replace(/host=[^&]*/, `host=${directory}`), backends }
}
