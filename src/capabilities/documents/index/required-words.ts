import { isFrequent } from '../../../kit/documents/chunks/languages.ts'

const special = new Set('\\^$.|?*+()[]{}')

/**
 * Words that stand alone in every match of the pattern: those it has between spaces and outside of any group. None if
 * that isn't certain. Lower case, ASCII. `\b` doesn't count, because RE2 also sees one between `é` and `f`.
 */
export function requiredWords(source: string): string[] {
  const runs = literalRuns(source)
  const words = runs.flatMap((run) =>
    // Shorter ones may be column letters, which the index leaves out.
    Array.from(run.matchAll(/(?<=[ \n])[A-Za-z]{4,30}(?=[ \n])/g), ([word]) => word.toLowerCase()),
  )
  return [...new Set(words)].filter((word) => !isFrequent(word)).slice(0, 4)
}

/** The literal parts outside of groups; `\s+` is a space, anything else is a break. None with `|` or flags. */
function literalRuns(source: string): string[] {
  const runs: string[] = []
  let run = ''
  const end = () => {
    runs.push(run)
    run = ''
  }
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at)
    const next = source.charAt(at + 1)
    if (character === '|' || character === '(' || (character === '\\' && /[QEpPxCk0-7]/.test(next))) return []
    if (character === '[') {
      const close = source.indexOf(']', at + (next === '^' ? 3 : 2))
      if (close === -1 || source.slice(at, close).includes('\\') || source.slice(at + 1, close).includes('[')) return []
      end()
      at = close
    } else if (character === '\\') {
      at++
      const isGap = next === 's' && !/[*?{]/.test(source.charAt(at + 1))
      if (isGap) run += ' '
      else end()
    } else if (character === '*' || character === '?' || character === '{') {
      // What is repeated may also be missing.
      run = run.slice(0, -1)
      end()
      if (character === '{') at = Math.max(at, source.indexOf('}', at))
    } else if (character === '+') {
      if (!run.endsWith(' ')) end()
    } else if (special.has(character)) {
      end()
    } else {
      run += character
    }
  }
  end()
  return runs
}
