/** Runs the work of one key one after the other, in the order in which it came. */
export function keyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<void>>()
  return async (key, work) => {
    const before = tails.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    tails.set(key, promise)
    try {
      await before
      return await work()
    } finally {
      resolve()
      if (tails.get(key) === promise) tails.delete(key)
    }
  }
}
