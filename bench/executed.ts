import { stripTypeScriptTypes } from 'node:module'

/** V8's coverage of one script. */
export interface ScriptCoverage {
  url: string
  functions: FunctionCoverage[]
}

interface FunctionCoverage {
  functionName: string
  ranges: { startOffset: number; endOffset: number; count: number }[]
}

/**
 * The lines of a file, counted from 1, of which something ran. V8's ranges nest: the innermost one says whether a
 * character ran. Types, comments and empty lines do not run.
 */
export function executedLines(source: string, functions: readonly FunctionCoverage[]): number[] {
  // Stripping leaves blanks in place of types, so that V8's positions stay valid.
  const code = withoutComments(stripTypeScriptTypes(source))
  const ran = new Uint8Array(code.length)
  const ranges = functions.flatMap((one) => one.ranges)
  for (const { startOffset, endOffset, count } of ranges.toSorted(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  ))
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)

  const lines: number[] = []
  let start = 0
  for (const [index, line] of code.split('\n').entries()) {
    const executed = [...line].some((character, column) => /\S/.test(character) && ran[start + column] === 1)
    if (executed) lines.push(index + 1)
    start += line.length + 1
  }
  return lines
}

/** Whether a function of the file ran; its top level is one too, but runs while it is loaded. */
export const ranAtAll = (functions: readonly FunctionCoverage[]): boolean =>
  functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)

/** Blanks out lines that hold only a comment; a comment after code doesn't change whether its line ran. */
const withoutComments = (code: string): string =>
  code.replace(/^[ \t]*(\/\/.*|\/\*[\s\S]*?\*\/)/gm, (comment) => comment.replace(/[^\n]/g, ' '))
