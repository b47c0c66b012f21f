import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { frameOf, framesIn } from '../../../src/kit/documents/frames.ts'

// A reader in the hands of a document: it does what the text of the document says.

const channel = new Socket({ fd: 3, readable: true, writable: true })
const frames = framesIn(channel, () => ({ message: Infinity, bytes: Infinity }))
const say = (message: unknown) => channel.write(frameOf(message, 0))
const forEver = () => new Promise<never>(() => {})

const head = { kind: 'csv', notes: [], languages: [] }
const empty = { parts: [], texts: [], chunks: [], vocabulary: [], isLast: true }
const one = { ...empty, head, parts: [{ unit: 'section', number: 1 }] }
const answer = (text: string) => say({ ...one, texts: [{ part: 0, field: 'text', text }] })

const attempt = (deed: () => unknown): string => {
  try {
    deed()
    return 'done'
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? String(thrown)
  }
}

const dial = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('done'))
    socket.on('error', (thrown: NodeJS.ErrnoException) => resolve(thrown.code ?? thrown.message))
  })

/** What it can reach, by name. */
const reach = async (port: number, file: string) => ({
  environment: Object.keys(process.env),
  file: attempt(() => readFileSync(file)),
  folder: attempt(() => readdirSync('/home')),
  write: attempt(() => writeFileSync('/tmp/bobbin-reader', 'x')),
  compiled: attempt(() => mkdirSync(`${process.env.NODE_COMPILE_CACHE}/mine`)),
  inCompiled: attempt(() => writeFileSync(`${process.env.NODE_COMPILE_CACHE}/compiled`, '')),
  program: attempt(() => {
    const { error } = spawnSync('/bin/echo', ['x'])
    if (error) throw error
  }),
  code: attempt(() => new Function('return 1')()),
  network: await dial(port),
})

const keep: unknown[] = []
const deeds: Record<string, (argument: string) => unknown> = {
  abort: () => process.abort(),
  exit: () => process.exit(0),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  buffers: () => {
    for (;;) keep.push(Buffer.alloc(64 * 1024 ** 2, 1))
  },
  'one buffer': () => keep.push(Buffer.alloc(4 * 1024 ** 3, 1)),
  objects: () => {
    for (let number = 0; ; number++) keep.push({ number, list: [number] })
  },
  texts: () => {
    for (let number = 0; ; number++) keep.push(`${number}x`.repeat(1_000_000).toUpperCase())
  },
  loop: () => {
    for (;;);
  },
  'loop and print': () => {
    for (;;) writeFileSync(2, 'x'.repeat(10_000))
  },
  wait: forEver,
  garbage: () => channel.write('no frame at all, but many letters'),
  'no JSON': () => channel.write(Buffer.from('0000000200000000416c', 'hex')),
  'a huge frame': () => channel.write(Buffer.from('7fffffff00000000', 'hex')),
  'bytes beside it': () => channel.write(Buffer.from('0000000200000fff7b7d', 'hex')),
  'half a frame': () => channel.end(Buffer.from('0000ffff000000007b', 'hex')),
  'no batch': () => say({ isLast: true }),
  'more fields': () => say({ ...one, admin: true }),
  'a kind of its own': () => say({ ...one, head: { ...head, kind: 'exe' } }),
  'a code of its own': () => say({ error: { code: 'stopping', message: 'x', remedy: 'y' } }),
  'a page': () => say({ webPage: { title: 'x', markdown: 'y', isCut: false } }),
  'a text of no part': () => say({ ...one, texts: [{ part: 7, field: 'text', text: 'x' }] }),
  'a chunk of no part': () => say({ ...one, chunks: [{ part: 0, start: 0, end: 99, words: 'x', segments: '' }] }),
  'a vocabulary without lines': () => say({ ...one, vocabulary: ['word'] }),
  'no end': async () => {
    const batch = { ...one, isLast: false, texts: [{ part: 0, field: 'text', text: 'x'.repeat(1_000_000) }] }
    for (say(batch); ; await frames.next()) say({ ...batch, head: undefined })
  },
  'a portion': async (argument) => {
    say({ ...one, isLast: false, endsPortion: true })
    await frames.next()
    await deeds[argument]?.('')
  },
  reach: async (argument) => {
    const [port, file = ''] = argument.split(' ')
    answer(JSON.stringify(await reach(Number(port), file)))
  },
  process: () => answer(String(process.pid)),
}

say('ready')
for (let next = await frames.next(); next.value !== undefined; next = await frames.next()) {
  const text = Buffer.from(next.value.bytes).toString()
  const [name = '', argument = ''] = text.split(': ')
  const deed = deeds[name]
  await (deed === undefined ? answer(text) : deed(argument))
}
