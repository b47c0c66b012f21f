import { expect, test } from 'vitest'
import { systemCallFilter } from '../../src/sandbox/system-calls.ts'
import { runOf, sandbox } from './support/box.ts'

/** What the kernel would answer, step by step. */
function verdict(filter: Uint8Array, arch: number, call: number, firstArgument = 0): string {
  const view = new DataView(filter.buffer)
  const fields = new Map([
    [0, call],
    [4, arch],
    [16, firstArgument],
  ])
  let loaded = 0
  for (let at = 0; at < filter.length; at += 8) {
    const [operation, value] = [view.getUint16(at, true), view.getUint32(at + 4, true)]
    if (operation === 0x06)
      return value === 0x7fff_0000 ? 'allowed' : value === 0x8000_0000 ? 'killed' : `error ${value & 0xffff}`
    if (operation === 0x20) loaded = fields.get(value) ?? Number.NaN
    else at += 8 * view.getUint8(at + ((operation === 0x15 ? loaded === value : loaded >= value) ? 2 : 3))
  }
  return 'fell off the end'
}

test.each([
  ['x64', 0xc000_003e, { read: 0, socket: 41, bpf: 321, unshare: 272, memfd: 319 }],
  ['arm64', 0xc000_00b7, { read: 63, socket: 198, bpf: 280, unshare: 97, memfd: 279 }],
])('what the filter lets through on %s', (name, arch, calls) => {
  const filter = systemCallFilter(name) ?? new Uint8Array()
  const of = (call: number, argument?: number) => verdict(filter, arch, call, argument)
  expect([of(calls.read), of(calls.bpf), of(calls.unshare), of(calls.memfd), of(425)]).toEqual([
    'allowed',
    'error 1',
    'error 1',
    'error 38',
    'error 38',
  ])
  expect([1, 2, 10, 16].map((family) => of(calls.socket, family))).toEqual(Array(4).fill('allowed'))
  expect([0, 3, 17, 38, 40, 44].map((family) => of(calls.socket, family))).toEqual(Array(6).fill('error 97'))
  expect(verdict(filter, 0x4000_0003, calls.read)).toBe('killed')
  expect(of(0x4000_0000 + 41, 40)).toBe(name === 'x64' ? 'error 38' : 'allowed')
})

test('on a machine whose numbers are not known there is none', () => {
  expect(systemCallFilter('s390x')).toBe(undefined)
})

test('the kernel heeds it', async () => {
  const script = `import socket, os, ctypes
for family in (1, 2, 10, 16, 17, 38, 40):
  try:
    socket.socket(family, socket.SOCK_RAW if family == 16 else socket.SOCK_STREAM).close()
    print(family, 'open')
  except OSError as failure: print(family, failure.errno)
try: os.memfd_create('x')
except OSError as failure: print('memory', failure.errno)
libc = ctypes.CDLL(None, use_errno=True)
print('shared', libc.shmget(0, 4096, 0o1600), ctypes.get_errno())
print('ring', libc.syscall(425, 8, 0), ctypes.get_errno())`
  const { stdout } = await sandbox.run(runOf(['python3', '-c', script]))
  expect(stdout).toBe('1 open\n2 open\n10 open\n16 open\n17 97\n38 97\n40 97\nmemory 38\nshared -1 38\nring -1 38\n')
})
