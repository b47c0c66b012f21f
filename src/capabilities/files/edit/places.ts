/** One place in a text, and what to put there. */
export interface Splice {
  start: number
  end: number
  replacement: string
}

/** What to find and what to put in its place; line ends are LF. */
export interface Wanted {
  old: string
  new: string
}

export const isBlank = (line: string): boolean => line.trim() === ''

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** The indentation that all lines share, blank ones aside. */
function commonIndent(lines: string[]): string {
  const [first = '', ...others] = lines.filter((line) => !isBlank(line)).map(indentOf)
  return others.reduce((common, indent) => {
    let length = 0
    while (length < common.length && common[length] === indent[length]) length++
    return common.slice(0, length)
  }, first)
}

export function withoutCommonIndent(lines: string[]): string[] {
  const { length } = commonIndent(lines)
  return lines.map((line) => (isBlank(line) ? '' : line.slice(length)))
}

/** The new text with the old text's real indentation: the model may have shifted both left or right. */
function reindented(text: string, from: string, to: string): string {
  if (from === to) return text
  const moved = (line: string) => (isBlank(line) || !line.startsWith(from) ? line : to + line.slice(from.length))
  return text.split('\n').map(moved).join('\n')
}

/** What the old text lacks of its first line's indentation, if its other lines are indented as here. */
function missingIndent([first = '', ...others]: string[], [realFirst = '', ...realOthers]: string[]): string {
  const [indent, real] = [indentOf(first), indentOf(realFirst)]
  if (isBlank(first) || others.every(isBlank) || !real.endsWith(indent)) return ''
  return commonIndent(others) === commonIndent(realOthers) ? real.slice(0, real.length - indent.length) : ''
}

/** A text as lines, each with its offset. */
export interface Lines {
  lines: string[]
  starts: number[]
}

export function linesOf(text: string): Lines {
  const lines = text.split('\n')
  let next = 0
  const starts = lines.map((line) => {
    const start = next
    next += line.length + 1
    return start
  })
  return { lines, starts }
}

/** The wanted lines; a final line end belongs to the place and isn't a line of its own. */
export function wantedLines(old: string): { lines: string[]; closed: boolean } {
  const closed = old.endsWith('\n')
  const lines = (closed ? old.slice(0, -1) : old).split('\n')
  return { lines: lines.every(isBlank) ? [] : lines, closed }
}

/** The place of `count` whole lines from `first` on. */
export function blockSplice({ lines, starts }: Lines, first: number, count: number, wanted: Wanted): Splice {
  const { lines: old, closed } = wantedLines(wanted.old)
  const last = first + count - 1
  const end = (starts[last] ?? 0) + (lines[last] ?? '').length
  const hasNext = last + 1 < lines.length
  const block = lines.slice(first, first + count)
  const missing = missingIndent(old, block)
  const replacement =
    missing === ''
      ? reindented(wanted.new, commonIndent(old), commonIndent(block))
      : wanted.new.replace(/^.*\S/, (line) => missing + line)
  return {
    start: starts[first] ?? 0,
    end: closed && hasNext ? end + 1 : end,
    replacement: closed && !hasNext ? replacement.replace(/\n$/, '') : replacement,
  }
}
