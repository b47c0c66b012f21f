import { RE2JS } from 're2js'
import { Failure } from '../failure.ts'
import type { Span } from '../text/span.ts'
import { BackgroundSearch } from './background.ts'
import { compilePattern, type Pattern } from './pattern.ts'

/** Finds an expression from a model: at once if that takes linear time, otherwise in a thread that can be ended. */
export type Finder =
  | { kind: 'linear'; pattern: Pattern; end(): void }
  | { kind: 'background'; find(texts: string[], most: number): Promise<Span[][]>; end(): void }

/** What RE2 leaves out, because it may take exponential time: `(?=`, `(?!`, `(?<=`, `(?<!`, `\1`, `\k<name>`. */
const needsMore = /\(\?<?[=!]|\\[1-9]|\\k</

/** `flags` are those of RE2JS. Throws `bad_pattern`. Whoever opens a finder has to end it. */
export function openFinder(source: string, flags: number, signal: AbortSignal): Finder {
  try {
    return { kind: 'linear', pattern: compilePattern(source, flags), end: () => {} }
  } catch (thrown) {
    if (!needsMore.test(source) || source.length > mostCharacters) throw thrown
  }
  const search = new BackgroundSearch(...backtracking(source, flags), signal)
  return { kind: 'background', find: (texts, most) => search.find(texts, most), end: () => search.end() }
}

const mostCharacters = 1000

/** The expression for JavaScript's own engine, with Unicode if it is valid that way. Throws `bad_pattern`. */
function backtracking(source: string, flags: number): [source: string, flags: string] {
  const [, first = ''] = /^\(\?([ims]+)\)/.exec(source) ?? []
  const plain = source.slice(first === '' ? 0 : first.length + 3).replaceAll('(?P<', '(?<')
  const own = [flags & RE2JS.CASE_INSENSITIVE && 'i', flags & RE2JS.MULTILINE && 'm', flags & RE2JS.DOTALL && 's']
  const all = [...new Set([...own.filter(Boolean), ...first])].join('')
  if (isReadable(plain, `gu${all}`)) return [plain, `gu${all}`]
  try {
    new RegExp(plain, `g${all}`)
    return [plain, `g${all}`]
  } catch (thrown) {
    throw new Failure(
      'bad_pattern',
      `The pattern cannot be used (${(thrown as SyntaxError).message}).`,
      'Close each group and class, and quote ( [ { . * + ? with \\.',
      { cause: thrown },
    )
  }
}

function isReadable(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) !== undefined
  } catch {
    return false
  }
}
