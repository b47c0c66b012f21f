import { onTestFinished } from 'vitest'
import { ParserPool } from '../../../src/kit/documents/pool.ts'
import type { PoolOptions } from '../../../src/kit/documents/pool-options.ts'
import type { Containment } from '../../../src/kit/sandbox/containment.ts'
import { hostile, poolOptions } from './options.ts'

/** A pool whose readers do what a document says. */
export function hostilePool(
  containment: Containment,
  options: Partial<PoolOptions> = {},
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
): ParserPool {
  const pool = new ParserPool({ ...poolOptions(containment), program: hostile, ...options })
  atEnd(() => pool.stop())
  return pool
}

export async function told(pool: ParserPool, text: string, owner = '', signal = new AbortController().signal) {
  const { document } = await pool.parse({ name: 'a.csv', bytes: Buffer.from(text) }, signal, { owner })
  return document.parts[0]?.text ?? ''
}
