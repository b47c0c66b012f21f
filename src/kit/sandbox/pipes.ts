import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm, rmdir } from 'node:fs/promises'
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
  const paths = Array.from({ length: count }, (_, place) => join(folder, String(place)))
  try {
    await promisify(execFile)('mkfifo', ['-m', '0600', ...paths], { env: { PATH: '/usr/bin:/bin' } })
    return openEnds(paths)
  } finally {
    // One by one: to look into the folder would take a descriptor, and there may be none left.
    for (const path of paths) await rm(path, { force: true })
    await rmdir(folder)
  }
}

/** All ends of all pipes, or none. */
function openEnds(paths: string[]): Pipe[] {
  const opened: number[] = []
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    const ends = paths.map((path) => ({
      reader: open(path, constants.O_RDONLY | constants.O_NONBLOCK),
      writer: open(path, constants.O_WRONLY),
    }))
    return ends.map(({ reader, writer }) => ({ reader: new Socket({ fd: reader, writable: false }), writer }))
  } catch (thrown) {
    for (const descriptor of opened) closeSync(descriptor)
    throw thrown
  }
}

export const closeWriters = (pipes: Pipe[]): void => {
  for (const { writer } of pipes) closeSync(writer)
}
