import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A kernel pipe: `reader` is ours, the descriptor `writer` is for a program; close it once the program has it. */
export interface Pipe {
  reader: Socket
  writer: number
}

/**
 * Node makes sockets for a program's output, and sockets can't be opened again by their path: `echo > /dev/stderr`
 * would fail. So these are named pipes, whose names are gone when this returns.
 */
export async function openPipes(count: number): Promise<Pipe[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-pipes-'))
  try {
    const paths = Array.from({ length: count }, (_, place) => join(folder, String(place)))
    await promisify(execFile)('mkfifo', ['-m', '0600', ...paths], { env: { PATH: '/usr/bin:/bin' } })
    return paths.map((path) => {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      return { reader: new Socket({ fd: reader, writable: false }), writer: openSync(path, constants.O_WRONLY) }
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const closeWriters = (pipes: Pipe[]): void => {
  for (const { writer } of pipes) closeSync(writer)
}
