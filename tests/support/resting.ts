import type { Engine } from '../../src/domain/engine.ts'

/** An engine that runs nothing. */
export const resting: Engine = {
  leaving: new AbortController().signal,
  start: async () => {},
  wake: () => {},
  interrupt: () => {},
  stop: async () => {},
  close: async () => {},
}

/** Reports nothing and rethrows. */
export const rethrow = (thrown: unknown) => {
  throw thrown
}
