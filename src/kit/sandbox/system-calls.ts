import { common, machines } from './system-call-numbers.ts'

/**
 * A filter of system calls (seccomp, classic BPF) for bubblewrap. Namespaces don't contain everything: sockets to the
 * host of a virtual machine (AF_VSOCK) pass every network namespace, a watcher doesn't see memory that only a
 * descriptor holds, and the large interfaces of the kernel are where its bugs are found. Undefined if the numbers of
 * the calls aren't known here. `closed`: no sockets and no other processes either, for a program that needs only the
 * descriptors it was given.
 */
export function systemCallFilter(arch: string = process.arch, { closed = false } = {}): Uint8Array | undefined {
  const machine = machines.get(arch)
  if (machine === undefined) return undefined
  const number = (name: string): number => {
    const found = common.get(name) ?? machine.calls.get(name)
    if (found === undefined) throw new Error(`no number for ${name}`)
    return found
  }
  return encoded([
    [load, 0, 0, archAt],
    ...unless(isEqual, machine.id, killed),
    [load, 0, 0, numberAt],
    // x32 calls have numbers of their own for the same things.
    ...(arch === 'x64' ? when(isAtLeast, 0x4000_0000, failing(errors.ENOSYS)) : []),
    ...missing.flatMap((name) => when(isEqual, number(name), failing(errors.ENOSYS))),
    ...forbidden.flatMap((name) => when(isEqual, number(name), failing(errors.EPERM))),
    ...unsupported.flatMap((name) => when(isEqual, number(name), failing(errors.EOPNOTSUPP))),
    ...withoutReserving(number('ioctl')),
    ...withUsualBuffers(number('setsockopt')),
    ...(closed ? alone(machine.forks, number) : socketsOf(families, number('socket'))),
    [answer, 0, 0, allowed],
  ])
}

/**
 * A socket keeps the buffers that it was made with, so that what it can hold is known (held.ts). Programs that
 * ask for larger ones are told that they got them, as the kernel itself does when it caps them.
 */
function withUsualBuffers(setsockopt: number): Step[] {
  const sizes = bufferSizes.flatMap((name) => when(isEqual, name, pretended))
  const ofSockets: Step[] = [[load, 0, 0, thirdArgumentAt], ...sizes]
  return [
    [isEqual, 0, 3 + ofSockets.length, setsockopt],
    [load, 0, 0, secondArgumentAt],
    [isEqual, 0, ofSockets.length, ofSocket],
    ...ofSockets,
    [load, 0, 0, numberAt],
  ]
}

/** `fallocate` and `file_setattr` by their older names, which file systems still know. */
function withoutReserving(ioctl: number): Step[] {
  const requests = reserving.flatMap((request) => when(isEqual, request, failing(errors.EOPNOTSUPP)))
  return [[isEqual, 0, 2 + requests.length, ioctl], [load, 0, 0, secondArgumentAt], ...requests, [load, 0, 0, numberAt]]
}

const socketsOf = (families: number[], socket: number): Step[] => [
  [isEqual, 0, 2 + families.length * 2, socket],
  [load, 0, 0, firstArgumentAt],
  ...families.flatMap((family) => when(isEqual, family, allowed)),
  [answer, 0, 0, failing(errors.EAFNOSUPPORT)],
]

/**
 * Threads may be started, processes may not. `clone3` hides from a filter what it starts; without it, programs use
 * `clone`.
 */
const alone = (forks: string[], number: (name: string) => number): Step[] => [
  ...when(isEqual, number('clone3'), failing(errors.ENOSYS)),
  ...[...forks, 'socket', 'ptrace', 'process_vm_readv', 'process_vm_writev'].flatMap((name) =>
    when(isEqual, number(name), failing(errors.EPERM)),
  ),
  [isEqual, 0, 3, number('clone')],
  [load, 0, 0, firstArgumentAt],
  [hasBits, 1, 0, thread],
  [answer, 0, 0, failing(errors.EPERM)],
]

/** Operation, steps to skip when it is true and when it is not, value. */
type Step = [operation: number, whenTrue: number, whenFalse: number, value: number]

const load = 0x20
const isEqual = 0x15
const isAtLeast = 0x35
const hasBits = 0x45
const answer = 0x06

const numberAt = 0
const archAt = 4
const firstArgumentAt = 16
const secondArgumentAt = 24
const thirdArgumentAt = 32

const allowed = 0x7fff_0000
const killed = 0x8000_0000
const failing = (error: number): number => 0x0005_0000 | error
const pretended = failing(0)
/** SOL_SOCKET; SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE */
const ofSocket = 1
const bufferSizes = [7, 8, 32, 33]
/** FS_IOC_RESVSP, FS_IOC_RESVSP64, FS_IOC_ZERO_RANGE; FS_IOC_FSSETXATTR, with which each byte written may take 1 GB */
const reserving = [0x4030_5828, 0x4030_582a, 0x4030_5839, 0x401c_5820]
const errors = { EPERM: 1, ENOSYS: 38, EOPNOTSUPP: 95, EAFNOSUPPORT: 97 }

/** CLONE_THREAD */
const thread = 0x1_0000

const when = (test: number, value: number, then: number): Step[] => [
  [test, 0, 1, value],
  [answer, 0, 0, then],
]
const unless = (test: number, value: number, then: number): Step[] => [
  [test, 1, 0, value],
  [answer, 0, 0, then],
]

/** AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, which programs use to list the machine's addresses. */
const families = [1, 2, 10, 16]

/** Programs know machines without these and find another way. */
const missing = [
  ...['io_uring_setup', 'io_uring_enter', 'io_uring_register'],
  ...['memfd_create', 'memfd_secret', 'shmget', 'semget', 'msgget', 'userfaultfd'],
]

const forbidden = [
  ...['add_key', 'request_key', 'keyctl', 'bpf', 'perf_event_open'],
  ...['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'],
  ...['mount', 'umount2', 'pivot_root', 'unshare', 'setns', 'name_to_handle_at', 'open_by_handle_at'],
  ...['open_tree', 'move_mount', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'],
  ...['swapon', 'swapoff', 'reboot', 'syslog', 'acct', 'quotactl', 'settimeofday', 'clock_settime'],
]

/**
 * These take up disk space that neither a file's size nor the limit of it shows. Programs know file systems without
 * them; `posix_fallocate` then writes.
 */
const unsupported = ['fallocate', 'setxattr', 'lsetxattr', 'fsetxattr', 'setxattrat', 'file_setattr']

/** As a little-endian kernel reads it, which both machines have. */
function encoded(steps: Step[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(steps.length * 8))
  steps.forEach(([operation, whenTrue, whenFalse, value], place) => {
    bytes.setUint16(place * 8, operation, true)
    bytes.setUint8(place * 8 + 2, whenTrue)
    bytes.setUint8(place * 8 + 3, whenFalse)
    bytes.setUint32(place * 8 + 4, value, true)
  })
  return new Uint8Array(bytes.buffer)
}
