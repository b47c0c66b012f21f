import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Containment } from '../sandbox/containment.ts'
import type { ParseLimits } from './parse.ts'

export interface PoolOptions {
  containment: Containment
  /** Readers at the same time. */
  workers: number
  /** One file may take so long. */
  timeoutMs: number
  /** Bytes of a reader's JavaScript heap. It may go half beyond them: what is no longer needed is still in it. */
  heapBytes: number
  /** Bytes of a reader's buffers, which do not count as heap. */
  bufferBytes: number
  /** A reader without work ends after so long. */
  idleMs: number
  limits: ParseLimits
  /** What a reader runs, for those who try what a reader could do. */
  program?: { module: string; reads: string[] }
}

/** As `config/bobbin.yaml` says in its section `documents`. */
export function poolSettings(
  documents: Omit<PoolOptions, 'containment' | 'timeoutMs' | 'limits' | 'program'> & Required<ParseLimits>,
): Omit<PoolOptions, 'containment'> {
  const { workers, heapBytes, bufferBytes, idleMs, ...more } = documents
  const { textCharacters, parts, unpackedBytes, archiveEntries, parseMs } = more
  const limits = { textCharacters, parts, unpackedBytes, archiveEntries, parseMs }
  return { workers, heapBytes, bufferBytes, idleMs, timeoutMs: parseMs, limits }
}

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A reader sees the kit and the packages, and nothing of the bot: no configuration, no data. */
export const parsers = {
  module: folder('./child.ts'),
  reads: [
    ...[folder('..'), folder('../../../package.json')],
    dirname(dirname(findPackageJSON('yauzl', import.meta.url) ?? '')),
  ],
}
