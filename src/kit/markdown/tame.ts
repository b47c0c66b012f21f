// The parser's time grows with the square of some inputs. Each of these limits is far beyond what people and models
// write, and keeps 16,000 hostile characters under about a tenth of a second.

/** Nested quotes and lists, by the marks at the start of a line. */
const mostMarks = 16
/** Runs of emphasis marks and closing brackets between two blank lines. */
const mostRuns = 1_000
/** Lines without a mark, between two blank ones, where others have marks. */
const mostLazy = 300
/** Lines that may underline a heading or a table's header. */
const mostRules = 200

const marks = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const mark = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y
const run = /\*+|_+|~+|\]/g
/** A fence, a thematic break, a list marker: nothing that emphasis is made of. */
const kept = /^[ \t>]*(?:[-+*][ \t]|~{3}|([-*_])(?:[ \t]*\1)*[ \t]*$)/

// Noncharacters of Unicode. They mean nothing to the parser, and each stands for a character that does.
const masked = '>-+*_~]0123456789.)'
const first = 0xfdd0
const noncharacters = /[\uFDD0-\uFDEF]/g

const mask = (text: string): string =>
  text.replace(/[^ \t]/g, (character) => {
    const index = masked.indexOf(character)
    return index < 0 ? character : String.fromCharCode(first + index)
  })

/** What the parser returned, with the masked characters restored. */
export const unmasked = (text: string): string =>
  text.replace(noncharacters, (character) => masked[character.charCodeAt(0) - first] ?? character)

/** With one kind of line end, and no character that may not stand in a text. */
export const normalised = (markdown: string): string =>
  markdown.replace(/\r\n?/g, '\n').replace(noncharacters, '').toWellFormed()

/** The same text, of the same length, with what would take the parser too long masked. Expects `normalised` text. */
export function tamed(text: string): string {
  let rules = 0
  return text
    .replace(/^\uFEFF/, ' ')
    .split(/(\n[ \t]*\n)/)
    .map((part) => {
      const lines = part.split('\n').map((line) => {
        const isRule = line.includes('-') && /^[ \t>|:-]+$/.test(line)
        return isRule && ++rules > mostRules ? mask(line) : withoutDepth(line)
      })
      return withoutRuns(withoutLaziness(lines)).join('\n')
    })
    .join('')
}

/** Lines that merely continue a quote or list, if there are too many: without its beginning. */
function withoutLaziness(lines: string[]): string[] {
  const bare = lines.filter((line) => !/^[ \t]/.test(line) && !marks.test(line)).length
  return bare > mostLazy && bare < lines.length ? lines.map(withoutMarks) : lines
}

const withoutMarks = (line: string): string => {
  const head = marks.exec(line)?.[0] ?? ''
  return mask(head) + line.slice(head.length)
}

function withoutRuns(lines: string[]): string[] {
  let runs = 0
  return lines.map((line) => {
    runs += line.match(run)?.length ?? 0
    if (runs <= mostRuns || kept.test(line)) return line
    const head = marks.exec(line)?.[0].length ?? 0
    return line.slice(0, head) + line.slice(head).replace(run, mask)
  })
}

function withoutDepth(line: string): string {
  const all = marks.exec(line)?.[0] ?? ''
  if (all.length <= mostMarks) return line
  mark.lastIndex = 0
  let depth = 0
  while (depth < mostMarks && mark.test(all)) depth++
  const end = depth < mostMarks ? all.length : mark.lastIndex
  return line.slice(0, end) + mask(all.slice(end)) + line.slice(all.length)
}
