/** Every text in blocks, in order: for messages that have nothing else. */
export function* textsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const one of value) yield* textsIn(one)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (key === 'text' && typeof one === 'string') yield one
      else if (typeof one === 'object') yield* textsIn(one)
    }
  }
}
