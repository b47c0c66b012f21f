import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContainedModule, Containment } from '../sandbox/containment.ts'
import type { ParseLimits } from './parse.ts'

export interface PoolOptions {
  containment: Containment
  /** How many readers run at the same time. */
  workers: number
  /** How long one file may take. */
  timeoutMs: number
  /** Bytes of a reader's JavaScript heap. It may exceed them by half, since garbage is still in it. */
  heapBytes: number
  /** Bytes of a reader's buffers, which do not count as heap. */
  bufferBytes: number
  /** A reader without work ends after this long. */
  idleMs: number
  limits: ParseLimits
  /** What a reader runs, for tests of what a reader could do. */
  program?: ReaderProgram
}

export interface ReaderProgram extends ContainedModule {
  reads: string[]
}

/** As `config/bobbin.yaml` says in its section `documents`. */
export function poolSettings(
  documents: Omit<PoolOptions, 'containment' | 'timeoutMs' | 'limits' | 'program'> &
    Required<Omit<ParseLimits, 'depth' | 'tableCharacters'>> &
    Pick<ParseLimits, 'tableCharacters'>,
): Omit<PoolOptions, 'containment'> {
  const { workers, heapBytes, bufferBytes, idleMs, ...more } = documents
  const { textCharacters, tableCharacters = 0, parts, unpackedBytes, archiveEntries, parseMs } = more
  const limits = { textCharacters, tableCharacters, parts, unpackedBytes, archiveEntries, parseMs }
  return { workers, heapBytes, bufferBytes, idleMs, timeoutMs: parseMs, limits }
}

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A reader sees the kit and the packages, and nothing of the bot: no configuration, no data. */
export const parsers: ReaderProgram = {
  module: folder('./child.ts'),
  reads: [
    ...[folder('..'), folder('../../../package.json')],
    dirname(dirname(findPackageJSON('yauzl', import.meta.url) ?? '')),
  ],
}

/** Readers that draw pages, which takes a library of a package. */
export const painters: ReaderProgram = { ...parsers, addons: true }
