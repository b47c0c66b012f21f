/** Settings kept in this browser. If storage is full or blocked, the console works without remembering them. */

const prefix = 'bobbin.'

export function recall(name, otherwise, storage = localStorage) {
  try {
    const text = storage.getItem(prefix + name)
    return text === null ? otherwise : JSON.parse(text)
  } catch {
    return otherwise
  }
}

export function remember(name, value, storage = localStorage) {
  try {
    if (value === undefined || value === '') storage.removeItem(prefix + name)
    else storage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Losing a preference does no harm.
  }
}
