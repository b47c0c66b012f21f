import { fileURLToPath } from 'node:url'
import type { PoolOptions } from '../../../src/kit/documents/pool-options.ts'
import type { Containment } from '../../../src/kit/sandbox/containment.ts'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** In place of the parsers. */
export const hostile = { module: folder('./hostile.ts'), reads: [folder('.'), folder('../../../src/kit')] }

const megabyte = 1024 ** 2

export const poolOptions = (containment: Containment): PoolOptions => ({
  containment,
  workers: 1,
  timeoutMs: 300_000,
  heapBytes: 64 * megabyte,
  bufferBytes: 128 * megabyte,
  idleMs: 60_000,
  limits: { textCharacters: 1_000_000, parts: 1000, unpackedBytes: 10_000_000, archiveEntries: 100 },
})
