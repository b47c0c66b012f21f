/** Loads something the first time it is needed, and only once, unless that failed. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((thrown) => {
      loading = undefined
      throw thrown
    })
    return loading
  }
}
