/**
 * `load` loads a module when it is first called, and after `forget` loads it anew. A browser doesn't load again what
 * failed under an address, so each further attempt has one of its own.
 */
export function libraryAt(address) {
  let loading
  let failures = 0
  const forget = () => {
    loading = undefined
    failures += 1
  }
  const load = () => {
    loading ??= import(failures === 0 ? address : `${address}?failures=${failures}`).catch((error) => {
      forget()
      throw error
    })
    return loading
  }
  return { load, forget }
}
