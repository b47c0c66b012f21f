/** Whether a value has more entries than `most`, however deep they lie. It came as JSON. */
export function hasMoreEntries(value: unknown, most: number): boolean {
  const open = [value]
  let seen = 0
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one) && one.length > most) return true
    for (const entry of Object.values(one)) {
      if (++seen > most) return true
      open.push(entry)
    }
  }
  return false
}
