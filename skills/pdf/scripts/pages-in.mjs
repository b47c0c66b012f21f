/** `1,3-4,6-` as page numbers; `3-1` counts down. */
export function pagesIn(text, count) {
  return text.split(',').flatMap((part) => {
    const [, from, dash, to] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(part) ?? []
    if (from === undefined) throw new Error(`"${part}" is not a range of pages, such as 1-3`)
    const first = Number(from)
    const last = dash === '' ? first : to === '' ? count : Number(to)
    if (Math.min(first, last) < 1 || Math.max(first, last) > count)
      throw new Error(`There are ${count} pages; "${part.trim()}" asks for others`)
    const step = first <= last ? 1 : -1
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, place) => first + place * step)
  })
}
