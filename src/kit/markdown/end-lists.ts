const fence = /^\s*(?:```|~~~)/
const item = /^\s*(?:[-*+]|\d+[.)])\s/
const plainLine = /^\S/

/** Puts an empty line after each list: in Markdown, the next line would otherwise belong to the last item. */
export function endLists(text: string): string {
  let isCode = false
  let isList = false
  return text
    .split('\n')
    .flatMap((line) => {
      if (fence.test(line)) isCode = !isCode
      const ends = isList && !isCode && plainLine.test(line) && !item.test(line)
      isList = !isCode && (item.test(line) || (isList && !ends && line !== ''))
      return ends ? ['', line] : [line]
    })
    .join('\n')
}
