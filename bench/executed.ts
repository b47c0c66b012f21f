import { stripTypeScriptTypes } from 'node:module'

/** What V8 writes of one script. */
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
  // Stripping leaves blanks where types stood, so that V8's positions hold.
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

/** Whole lines of comments become blanks: one behind code changes nothing of whether its line ran. */
const withoutComments = (code: string): string =>
  code.replace(/^[ \t]*(\/\/.*|\/\*[\s\S]*?\*\/)/gm, (comment) => comment.replace(/[^\n]/g, ' '))
