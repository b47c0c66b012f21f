import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import { confinedStart, dataBytes, plainStart, type Start } from '../../src/kit/sandbox/contained-start.ts'
import { lookAround, systemPlaces } from '../../src/kit/sandbox/facts.ts'
import { insideNode } from '../../src/kit/sandbox/options.ts'
import { residentBytesOf } from '../../src/kit/sandbox/processes.ts'
import { makeFolder } from './support/box.ts'

const megabyte = 1024 ** 2
const program = {
  module: fileURLToPath(import.meta.url),
  reads: [fileURLToPath(new URL('.', import.meta.url))],
  ...{ heapBytes: 64 * megabyte, bufferBytes: 64 * megabyte, processorSeconds: 7 },
}

const machine = () => lookAround('bwrap', systemPlaces, [])

/** Runs another program in the place of Node: what the kernel refuses does not depend on Node's own permissions. */
async function ran({ argv, filter }: Start, node: string, instead: string[]): Promise<string> {
  const [first = '', ...rest] = [...argv.slice(0, argv.lastIndexOf(node)), ...instead]
  const child = spawn(first, rest, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'] })
  const other = child.stdio[4] as Duplex
  if (filter !== undefined) other.end(filter)
  child.once('exit', () => other.end('over\n'))
  if (child.stdout === null) throw new Error('no output')
  return text(child.stdout)
}

const script = `import os, resource, socket, threading
def attempt(name, deed):
  try: print(name, deed() or 'done')
  except OSError as failure: print(name, failure.errno)
attempt('fork', lambda: os.fork() and None)
attempt('program', lambda: os.posix_spawn('/bin/true', ['true'], {}) and None)
attempt('socket', lambda: socket.socket() and None)
thread = threading.Thread(target=lambda: print('thread done')); thread.start(); thread.join()
attempt('file', lambda: open('/tmp/bobbin-contained', 'w') and None)
attempt('else', lambda: str(os.path.exists('/var') or os.path.exists('/run')))
print('descriptors', sorted(int(name) for name in os.listdir('/proc/self/fd'))[:4])`

test('in bubblewrap the kernel refuses processes, sockets, files', async () => {
  const start = confinedStart(await machine(), program, dataBytes())
  const told = await ran(start, insideNode, ['/usr/bin/python3', '-c', script])
  const refused = /fork 1\nprogram (1|38)\nsocket 1\nthread done\nfile \d+\nelse False\n/
  expect(told).toMatch(refused)
  expect(told).toContain('descriptors [0, 1, 2, 3]')
})

/** Without other programs, which nothing may start in bubblewrap. */
const limits = 'for name in c f n t d; do ulimit -H -$name; done; read -r score < /proc/self/oom_score_adj; echo $score'

test.each(['bubblewrap', 'a plain process'])('the limits hold for good, in %s', async (kind) => {
  const data = 600 * megabyte
  const isPlain = kind === 'a plain process'
  const start = isPlain ? plainStart(program, data) : confinedStart(await machine(), program, data)
  const told = await ran(start, isPlain ? process.execPath : insideNode, ['/bin/bash', '-c', limits])
  expect(told.trim().split('\n').map(Number)).toEqual([0, 0, 64, 7, (data + 128 * megabyte) / 1024, 1000])
})

test('without bubblewrap it says how to get it, and that it goes on without', async () => {
  const facts = await openContainment({ bwrap: '/nonexistent/bwrap' }).facts()
  expect(facts).toMatchObject({ kind: 'process', why: { remedy: expect.stringContaining('apt install bubblewrap') } })
})

/** Works as soon as `isBad` is gone. */
function moody(otherwise: string): { bwrap: string; isBad: string } {
  const folder = makeFolder()
  const [bwrap, isBad] = [join(folder, 'bwrap'), join(folder, 'bad')]
  writeFileSync(isBad, '')
  writeFileSync(bwrap, `#!/bin/sh\n[ -e '${isBad}' ] && { ${otherwise}; }\nexec bwrap "$@"\n`)
  chmodSync(bwrap, 0o755)
  return { bwrap, isBad }
}

test.each([
  'kill -9 $$',
  'exit 137',
  'echo "bwrap: Creating new namespace failed: Cannot allocate memory" >&2; exit 1',
])('a reader waits for bubblewrap rather than go without, after “%s”', async (bad) => {
  const { bwrap, isBad } = moody(bad)
  const containment = openContainment({ bwrap })
  await expect(containment.facts()).rejects.toMatchObject({ code: 'sandbox_failed' })
  await expect(containment.start(program)).rejects.toMatchObject({ code: 'sandbox_failed' })
  rmSync(isBad)
  expect(await containment.facts()).toEqual({ kind: 'bubblewrap' })
})

test('what bubblewrap could not do once is tried again with the next reader, and reported once', async () => {
  const { bwrap, isBad } = moody('[ "$1" = --version ] || { echo "bwrap: No space left on device" >&2; exit 1; }')
  const reported: unknown[] = []
  const containment = openContainment({ bwrap, report: (why) => void reported.push(why) })
  for (const _ of [1, 2]) {
    const reader = await containment.start(program)
    reader.kill()
    await reader.ended
  }
  expect(await containment.facts()).toMatchObject({ kind: 'process' })
  expect(reported).toMatchObject([{ code: 'no_sandbox', message: expect.stringContaining('No space left on device') }])
  rmSync(isBad)
  expect(await containment.facts()).toEqual({ kind: 'bubblewrap' })
})

const swappedBytes = () => Number(/VmSwap:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024

test('memory of a process, and of one that is gone', async () => {
  const [bytes, rss] = [await residentBytesOf(process.pid), process.memoryUsage.rss() + swappedBytes()]
  expect(Math.abs(bytes - rss)).toBeLessThan(0.2 * rss)
  const gone = Number(execFileSync('/bin/sh', ['-c', 'echo $$']))
  expect(await residentBytesOf(gone)).toBe(0)
})
