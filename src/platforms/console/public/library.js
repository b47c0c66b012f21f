/**
 * A function that loads a module when it is first called. A browser doesn't load again what failed under an address, so
 * each further attempt has one of its own.
 */
export function libraryAt(address) {
  let loading
  let failures = 0
  return () => {
    loading ??= import(failures === 0 ? address : `${address}?failures=${failures}`).catch((error) => {
      loading = undefined
      failures += 1
      throw error
    })
    return loading
  }
}
