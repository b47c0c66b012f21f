import { ParserPool } from '../../src/kit/documents/pool.ts'
import type { PoolOptions } from '../../src/kit/documents/pool-options.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'

/** One real reader of documents and pages, which the caller has to stop. */
export const oneReader = (options: Partial<PoolOptions> = {}): ParserPool =>
  new ParserPool({
    containment: openContainment(),
    workers: 1,
    timeoutMs: 300_000,
    heapBytes: 256 * 1024 * 1024,
    bufferBytes: 256 * 1024 * 1024,
    idleMs: 1000,
    limits: { textCharacters: 1_000_000, parts: 1000, unpackedBytes: 10_000_000, archiveEntries: 100 },
    ...options,
  })
