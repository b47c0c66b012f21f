import { expect, test } from 'vitest'
import { systemCallFilter } from '../../src/kit/sandbox/system-calls.ts'
import { runOf, sandbox } from './support/box.ts'

const compared = (operation: number, loaded: number, value: number): boolean =>
  operation === 0x15 ? loaded === value : operation === 0x45 ? (loaded & value) !== 0 : loaded >= value

/** What the kernel would answer, step by step. */
function verdict(filter: Uint8Array, arch: number, call: number, firstArgument = 0, secondArgument = 0): string {
  const view = new DataView(filter.buffer)
  const fields = new Map([
    [0, call],
    [4, arch],
    [16, firstArgument],
    [24, secondArgument],
  ])
  let loaded = 0
  for (let at = 0; at < filter.length; at += 8) {
    const [operation, value] = [view.getUint16(at, true), view.getUint32(at + 4, true)]
    if (operation === 0x06)
      return value === 0x7fff_0000 ? 'allowed' : value === 0x8000_0000 ? 'killed' : `error ${value & 0xffff}`
    if (operation === 0x20) loaded = fields.get(value) ?? Number.NaN
    else at += 8 * view.getUint8(at + (compared(operation, loaded, value) ? 2 : 3))
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

test.each([
  ['x64', 0xc000_003e, { ioctl: 16, fallocate: 285, attributes: [188, 189, 190, 463, 469] }],
  ['arm64', 0xc000_00b7, { ioctl: 29, fallocate: 47, attributes: [5, 6, 7, 463, 469] }],
])('space on the disk that no file’s size shows isn’t given on %s', (name, arch, calls) => {
  const filter = systemCallFilter(name) ?? new Uint8Array()
  const of = (call: number, request?: number) => verdict(filter, arch, call, 0, request)
  expect([calls.fallocate, ...calls.attributes].map((call) => of(call))).toEqual(Array(6).fill('error 95'))
  expect([0x4030_5828, 0x4030_582a, 0x4030_5839, 0x401c_5820].map((request) => of(calls.ioctl, request))).toEqual(
    Array(4).fill('error 95'),
  )
  // TCGETS
  expect(of(calls.ioctl, 0x5401)).toBe('allowed')
})

test.each([
  ['x64', 0xc000_003e, { read: 0, socket: 41, clone: 56, forks: [57, 58], ptrace: 101, bpf: 321 }],
  ['arm64', 0xc000_00b7, { read: 63, socket: 198, clone: 220, forks: [], ptrace: 117, bpf: 280 }],
])('what it lets through of a program on its own, on %s', (name, arch, calls) => {
  const filter = systemCallFilter(name, { closed: true }) ?? new Uint8Array()
  const of = (call: number, argument?: number) => verdict(filter, arch, call, argument)
  expect([of(calls.read), of(calls.clone, 0x3d0f00)]).toEqual(['allowed', 'allowed'])
  expect([of(calls.clone, 0x11), of(calls.clone, 0x120_0011), of(435)]).toEqual(['error 1', 'error 1', 'error 38'])
  expect([...calls.forks, calls.ptrace, calls.bpf].map((call) => of(call))).not.toContain('allowed')
  expect([1, 2, 10, 16, 40].map((family) => of(calls.socket, family))).toEqual(Array(5).fill('error 1'))
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
print('semaphores', libc.semget(0, 1, 0o1600), ctypes.get_errno())
print('messages', libc.msgget(0, 0o1600), ctypes.get_errno())
with socket.socket() as one:
  before = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
  one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1_000_000)
  one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
  print('buffer', one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == before, one.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR))
print('ring', libc.syscall(425, 8, 0), ctypes.get_errno())`
  const { stdout } = await sandbox.run(runOf(['python3', '-c', script]))
  // A machine may have no IPv6.
  expect(stdout.replace('10 97', '10 open')).toBe(
    '1 open\n2 open\n10 open\n16 open\n17 97\n38 97\n40 97\nmemory 38\nshared -1 38\nsemaphores -1 38\nmessages -1 38\nbuffer True 1\nring -1 38\n',
  )
})

test('a file has no more space on the disk than it may be large', async () => {
  const script = `import ctypes, fcntl, os, struct
libc = ctypes.CDLL(None, use_errno=True)
file = os.open('x', os.O_CREAT | os.O_RDWR)
range = struct.pack('hhqqiIiiii', 0, 0, 0, 1 << 30, 0, 0, 0, 0, 0, 0)
for request in (0x40305828, 0x4030582a, 0x40305839):
  try: fcntl.ioctl(file, request, range)
  except OSError as failure: print(failure.errno)
for keep in (0, 1):
  print(libc.fallocate(file, keep, ctypes.c_long(0), ctypes.c_long(1 << 30)), ctypes.get_errno())
try: os.setxattr('x', 'user.a', b'b')
except OSError as failure: print(failure.errno)
print(os.fstat(file).st_blocks)
os.posix_fallocate(file, 0, 100_000)
print(os.fstat(file).st_size)
try: os.posix_fallocate(file, 0, 1 << 30)
except OSError as failure: print(failure.errno)`
  const { stdout } = await sandbox.run(runOf(['python3', '-c', script], { limits: { fileBytes: 1_000_000 } }))
  expect(stdout.trim().split('\n')).toEqual(['95', '95', '95', '-1 95', '-1 95', '95', '0', '100000', '27'])
})

test('programs get along without', async () => {
  const script = `fallocate --posix -l 1M one && stat -c %s one && cp -a one two && mv one /tmp && mv /tmp/one three &&
    tar -cf tar two && tar --xattrs -xf tar && cp --sparse=always two four && python3 -c "import shutil; shutil.copy2('four', 'five')" &&
    cmp three five && echo same`
  expect(await sandbox.run(runOf(['bash', '-c', script]))).toMatchObject({ stdout: '1048576\nsame\n', stderr: '' })
})
