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

export const isDeeper = (line: string, base: string): boolean => {
  const indent = indentOf(line)
  return indent.length > base.length && indent.startsWith(base)
}

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

/** An indentation in the old text, and what it is in the file. */
type Level = readonly [old: string, real: string]

/** The levels of the old text, from the left; none if they aren't levels of the file too. */
function levelsOf(old: string[], block: string[]): Level[] {
  const found = new Map<string, string>()
  if (old.length !== block.length) return []
  for (const [at, line] of old.entries()) {
    const real = block[at] ?? ''
    if (isBlank(line) || line.trim() !== real.trim()) continue
    const [from, to] = [indentOf(line), indentOf(real)]
    if ((found.get(from) ?? to) !== to) return []
    found.set(from, to)
  }
  const levels = [...found].sort(([one], [other]) => one.length - other.length)
  const isIn = ([from, to]: Level, [outerFrom, outerTo]: Level) => isDeeper(from, outerFrom) && isDeeper(to, outerTo)
  return levels.slice(1).every((level, at) => isIn(level, levels[at] ?? level)) ? levels : []
}

/**
 * By how much one level is deeper than the one before; undefined if that can't be known. From the left, because the
 * deepest may be a line that continues another, which is aligned with it.
 */
function stepOf(levels: Level[]): Level | undefined {
  const steps = levels.map(([from, to], at): Level => {
    const [outerFrom, outerTo] = levels[at - 1] ?? ['', '']
    return [from.slice(outerFrom.length), to.slice(outerTo.length)]
  })
  for (const [from, to] of steps) {
    const units = Math.min(from.length, to.length)
    const isWhole = (part: string) => /^( +|\t+)$/.test(part) && part.length % units === 0
    // Several tabs for several times as many spaces, or the other way round.
    if (units > 0 && from[0] !== to[0] && isWhole(from) && isWhole(to))
      return [from.slice(0, from.length / units), to.slice(0, to.length / units)]
  }
  return steps[1]
}

/** The new text with the file's indentation instead of the old text's: it may be shifted, or of spaces and not tabs. */
function reindented(text: string, old: string[], block: string[]): string {
  const levels = levelsOf(old, block)
  const [from, to] = stepOf(levels) ?? ['', '']
  const known: Level[] = levels.length > 0 ? levels : [[commonIndent(old), commonIndent(block)]]
  const moved = (line: string) => {
    if (isBlank(line)) return line
    const indent = indentOf(line)
    const [before, now] = known.findLast(([level]) => indent.startsWith(level)) ?? ['', '']
    const more = indent.slice(before.length)
    const deeper = from === '' ? more : more.replaceAll(from, to)
    // Spaces that align a line come after its tabs.
    const real = to.startsWith('\t') ? now.replace(/ *$/, (aligned) => deeper + aligned) : now + deeper
    return real + line.slice(indent.length)
  }
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
    missing === '' ? reindented(wanted.new, old, block) : wanted.new.replace(/^.*\S/, (line) => missing + line)
  return {
    start: starts[first] ?? 0,
    end: closed && hasNext ? end + 1 : end,
    replacement: closed && !hasNext ? replacement.replace(/\n$/, '') : replacement,
  }
}
