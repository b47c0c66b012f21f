import { CompiledReaders } from '../../src/kit/documents/compiled.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'

let readers: CompiledReaders | undefined

/** Vitest's global setup: what readers load is compiled once, and not by each of the first bots. */
export function setup(): void {
  readers = new CompiledReaders(openContainment(), `${process.env.NODE_COMPILE_CACHE}/of this Node`)
  readers.get()
}

export async function teardown(): Promise<void> {
  await readers?.stop()
}
