/** What this browser remembers. Storage may be full or forbidden; the console then forgets, and works on. */

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
    // Nothing depends on it.
  }
}
