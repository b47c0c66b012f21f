/** `1,3-4,6-` as page numbers. */
export function pagesIn(text, count) {
  return text.split(',').flatMap((part) => {
    const [, from, dash, to] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(part) ?? []
    if (from === undefined) throw new Error(`"${part}" is not a range of pages, such as 1-3`)
    const last = dash === '' ? Number(from) : to === '' ? count : Number(to)
    if (Number(from) < 1 || last > count) throw new Error(`There are ${count} pages; "${part.trim()}" asks for others`)
    return Array.from({ length: last - Number(from) + 1 }, (_, place) => Number(from) + place)
  })
}
