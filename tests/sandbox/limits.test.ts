import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedOutBytes } from '../../src/kit/sandbox/processes.ts'
import { exceeded } from '../../src/kit/sandbox/watch.ts'
import { begunBefore } from '../support/begun-before.ts'
import { bash, makeFolder, node, runOf, sandbox } from './support/box.ts'

/** How long nobody else sleeps, such as another run of these tests. */
const sleepOf = (number: number): string => `${7100 + number}.${process.pid}`

/** How many processes of this machine were started with this word among their arguments. */
const running = (word: string): number =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word)
    } catch {
      return false
    }
  }).length

test('exit codes and signals', async () => {
  expect(await bash('exit 7')).toMatchObject({ by: 'itself', exitCode: 7, endedBy: undefined })
  expect(await bash('kill -SEGV $$')).toMatchObject({ by: 'itself', exitCode: undefined, endedBy: 'SIGSEGV' })
  expect(await sandbox.run(runOf(['no-such-program']))).toMatchObject({ by: 'itself', exitCode: 127 })
})

test('a command that takes too long is ended', async () => {
  const own = sleepOf(1)
  const result = await begunBefore(
    (timeoutMs) => bash(`trap '' TERM INT; echo on; sleep ${own} & sleep ${own}`, { limits: { timeoutMs } }),
    ({ stdout }) => stdout !== '',
  )
  expect(result).toMatchObject({ by: 'timeout', exitCode: undefined, endedBy: 'SIGKILL', stdout: 'on\n' })
  expect(running(own)).toBe(0)
})

test('endless output is cut and ends the command', async () => {
  let heard = ''
  const output = (_: string, text: string) => {
    heard += text
  }
  const result = await bash('yes é & yes é >&2', { limits: { outputBytes: 10_001 }, output })
  expect(result.by).toBe('output')
  expect(Buffer.byteLength(result.stdout) + Buffer.byteLength(result.stderr)).toBeLessThanOrEqual(10_001)
  expect(heard.length).toBe(result.stdout.length + result.stderr.length)
})

test('output comes as it is written, in whole characters, and can be opened by path', async () => {
  const heard: string[] = []
  const workspace = makeFolder()
  const output = (stream: string, text: string) => {
    heard.push(`${stream} ${text}`)
    writeFileSync(join(workspace, 'heard'), '')
  }
  const result = await bash(
    "printf '\\xf0\\x9f'; sleep 0.2; printf '\\x98\\x80'; until [ -e heard ]; do sleep 0.02; done; printf 'a\\xffb\\0\\x1b[1m'; echo err > /dev/stderr",
    { workspace, output },
  )
  expect(result.stdout).toBe('😀a\ufffdb\0\x1b[1m')
  expect(heard.slice(0, 2)).toEqual(['stdout 😀', 'stdout a\ufffdb\0\x1b[1m'])
  expect(result.stderr).toBe('err\n')
})

test('a file, the folder for what is temporary, and shared memory have a size', async () => {
  const workspace = makeFolder()
  const limits = { fileBytes: 1_000_000, temporaryBytes: 500_000 }
  const result = await bash(
    'head -c 3000000 /dev/zero > big; for n in 1 2 3; do head -c 400000 /dev/zero > /tmp/$n; head -c 400000 /dev/zero > /dev/shm/$n; done; du -sb /tmp /dev/shm | cut -f1; ulimit -f unlimited && echo raised',
    { workspace, limits },
  )
  const [temporary, shared, ...rest] = result.stdout.trim().split('\n').map(Number)
  expect(rest).toEqual([])
  expect(temporary).toBeLessThan(600_000)
  expect(shared).toBeLessThan(600_000)
  const { size } = statSync(join(workspace, 'big'))
  expect(size).toBeGreaterThan(900_000)
  expect(size).toBeLessThan(1_001_024)
  expect(result.stderr).toContain('No space left')
})

test('memory has a limit for all processes together', async () => {
  const limits = { memoryBytes: 150 * 1024 * 1024 }
  const alone =
    'x = []\nfor n in range(40):\n  x.append(bytearray(b"1") * 10_000_000)\n  time.sleep(0.02)\ntime.sleep(500)'
  const one = await sandbox.run(runOf(['python3', '-c', `import time\n${alone}`], { limits }))
  expect(one).toMatchObject({ by: 'memory', endedBy: 'SIGKILL' })
  const part = 'import time; x = bytearray(b"1") * 60_000_000; time.sleep(500)'
  const many = await bash(`for n in 1 2 3 4; do python3 -c '${part}' & done; wait`, { limits })
  expect(many.by).toBe('memory')
})

test('pages that processes share count once', async () => {
  const script = `import os, time
x = bytearray(b'1') * 60_000_000
for n in range(4):
  if os.fork() == 0:
    time.sleep(0.5)
    os._exit(0)
for n in range(4): os.wait()
print('done')`
  const result = await sandbox.run(runOf(['python3', '-c', script], { limits: { memoryBytes: 150 * 1024 * 1024 } }))
  expect(result).toMatchObject({ by: 'itself', stdout: 'done\n' })
})

test('shares that move between processes while they are counted count once', () => {
  const entry = (id: number) => ({ id, parent: 1, threads: 1, residentBytes: 60_000_000, tableBytes: 0, thread: id })
  const limits = { memoryBytes: 100_000_000, processes: 100 }
  // Each fork halves the shares of those that are asked after it.
  const whileForking = [60_000_000, 30_000_000, 20_000_000, 20_000_000, 20_000_000, 20_000_000]
  expect(exceeded([1, 2, 3].map(entry), limits, { shareOf: () => whileForking.shift() ?? 0 })).toBe(undefined)
  expect(exceeded([1, 2, 3].map(entry), limits, { shareOf: () => 40_000_000 })).toBe('memory')
})

test('a process that is ending holds no memory, though it is still there', () => {
  const proc = makeFolder()
  mkdirSync(join(proc, '7'))
  writeFileSync(join(proc, '7/stat'), '7 (python3) R 1 7 7')
  const entry = { id: 7, parent: 1, threads: 1, residentBytes: 60_000_000, tableBytes: 9_000, thread: 7 }
  expect(sharedOutBytes(entry, proc)).toBe(0)
})

test('memory counts after the first thread has ended', async () => {
  const script = `import ctypes, threading, time
def fill():
  x = []
  for n in range(40):
    x.append(bytearray(b'1') * 10_000_000)
    time.sleep(0.02)
  time.sleep(500)
threading.Thread(target=fill).start()
exit_thread = { 'x86_64': 60 }.get(__import__('platform').machine(), 93)
ctypes.CDLL(None).syscall(exit_thread, 0)`
  const result = await sandbox.run(runOf(['python3', '-c', script], { limits: { memoryBytes: 150 * 1024 * 1024 } }))
  expect(result).toMatchObject({ by: 'memory', endedBy: 'SIGKILL' })
})

test.each([
  [
    'sockets',
    `import socket
kept = []
for n in range(480):
  for one in (pair := socket.socketpair()):
    one.setblocking(False)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_000_000)
    try:
      while True: one.send(b'x' * 60_000)
    except BlockingIOError: pass
  kept.append(pair)`,
  ],
  [
    'page tables',
    `import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
at = libc.mmap(None, ctypes.c_size_t(1 << 40), 1, 0x4022, -1, ctypes.c_long(0))
libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(1 << 40), 15)
for n in range(60_000): ctypes.c_char.from_address(at + n * (2 << 20)).value`,
  ],
  [
    'empty files',
    `import os
try:
  for n in range(1_000_000): os.mknod(f'/tmp/{n}')
except OSError: pass`,
  ],
])('what the kernel holds for a program counts: %s', async (_, script) => {
  const limits = { memoryBytes: 80 * 1024 * 1024 }
  const result = await sandbox.run(runOf(['python3', '-c', `${script}\nimport time; time.sleep(500)`], { limits }))
  expect(result).toMatchObject({ by: 'memory', endedBy: 'SIGKILL' })
})

test('processes and threads have a limit', async () => {
  const own = sleepOf(2)
  const bomb = `for n in $(seq 200); do sleep ${own} & done; wait`
  expect((await bash(bomb, { limits: { processes: 40 } })).by).toBe('processes')
  expect(running(own)).toBe(0)
  const threads = `import threading, time
for n in range(100): threading.Thread(target=time.sleep, args=(500,)).start()`
  expect((await sandbox.run(runOf(['python3', '-c', threads], { limits: { processes: 40 } }))).by).toBe('processes')
})

test('no process stays when the command ends', async () => {
  const own = sleepOf(3)
  const result = await bash(
    `sleep ${own} & setsid sleep ${own} >/dev/null 2>&1 </dev/null & (setsid bash -c "trap : TERM HUP; sleep ${own} & disown" &) ; nohup sleep ${own} >/dev/null 2>&1 & exit 3`,
  )
  expect(result).toMatchObject({ by: 'itself', exitCode: 3 })
  expect(running(own)).toBe(0)
})

test('a stop ends it, before and during the run', async () => {
  const controller = new AbortController()
  const output = () => controller.abort()
  const own = sleepOf(4)
  const during = await bash(`setsid sleep ${own} & echo on; sleep ${own}`, { signal: controller.signal, output })
  expect(during).toMatchObject({ by: 'stop', stdout: 'on\n' })
  expect(running(own)).toBe(0)
  expect(await bash('echo on', { signal: controller.signal })).toMatchObject({ by: 'stop', stdout: '' })
})

test('when the bot is killed nothing of the command stays', async () => {
  const own = sleepOf(5)
  const { output: _, signal: __, ...run } = runOf(['bash', '-c', `setsid sleep ${own} & echo on; sleep ${own}`])
  const script = `import { openSandbox } from ${JSON.stringify(import.meta.resolve('../../src/kit/sandbox/sandbox.ts'))}
    const output = (stream, text) => console.log(text)
    await openSandbox().run({ ...JSON.parse(process.argv[1]), output, signal: new AbortController().signal })`
  const bot = spawn(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(run)])
  await once(bot.stdout, 'data')
  await expect.poll(() => running(own)).toBeGreaterThan(0)
  bot.kill('SIGKILL')
  await once(bot, 'close')
  await expect.poll(() => running(own)).toBe(0)
})

test("eight at the same time don't get mixed up", async () => {
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      bash(`echo ${n} > own; sleep 0.1; cat own; ls /tmp; touch /tmp/${n}; exit ${n}`),
    ),
  )
  expect(results.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual(
    Array.from({ length: 8 }, (_, n) => [`${n}\n`, n]),
  )
})

test('a command that is too long says so', async () => {
  await expect(node('1;'.repeat(100_000))).rejects.toMatchObject({ code: 'command_too_long' })
})
