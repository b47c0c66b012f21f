import { describe, expect, test } from 'vitest'
import { plainCommands } from '../../../src/kit/shell/plain.ts'
import { withoutSandbox } from '../../support/sandbox.ts'
import { type Belief, believe, compare } from './compare.ts'
import { linesFrom } from './lines.ts'

/** `npm run fuzz:shell` runs as many as there is time for. */
const runs = Number(process.env.BOBBIN_SHELL_RUNS ?? 1_500)
/** Of so many, those that a fault would let through are found, and only they run. */
const sifted = 4_000
const mostSuspects = 40
const seed = 20_261_122

describe.skipIf(withoutSandbox)('the small language against bash', () => {
  const lines = linesFrom(seed, Math.max(runs, sifted))
  const beliefs = new Map<string, Belief>()
  const believed = (line: string): Belief => {
    const belief = beliefs.get(line) ?? believe(line)
    beliefs.set(line, belief)
    return belief
  }

  test('bash does nothing beyond what was believed', { timeout: 3_600_000 }, () => {
    const { faults, recognised, allowed, called } = compare(lines.slice(0, runs), believed)
    expect(faults).toEqual([])
    // Otherwise this shows nothing.
    expect(recognised).toBeGreaterThan(runs / 5)
    expect(allowed).toBeGreaterThan(runs / 10)
    expect(called).toBeGreaterThan(runs / 5)
  })

  /** The scanner as it would be if it took something else than it is. */
  const misread =
    (read: (line: string) => string) =>
    (line: string): Belief => ({ plain: plainCommands(read(line), ''), isAllowed: false })
  const plainly =
    (program: string) =>
    (line: string): Belief => {
      const { plain, isAllowed } = believed(line)
      const isOnly = plain?.every((one) => one.isPlainUse || one.program === program) === true
      return { plain, isAllowed: isAllowed || isOnly }
    }

  test.each<[string, (line: string) => Belief]>([
    ['a dollar is a letter', misread((line) => line.replaceAll('$', 'S'))],
    ['a backquote is a letter', misread((line) => line.replaceAll('`', 'B'))],
    [
      'a dollar in double quotes is a letter',
      misread((line) => line.replaceAll(/"[^"]*"/g, (one) => one.replaceAll(/[$()]/g, 'S'))),
    ],
    ['a hash is a letter', misread((line) => line.replaceAll('#', 'H'))],
    ['a line goes on', misread((line) => line.replaceAll('\n', ' '))],
    ['a backslash is a letter', misread((line) => line.replaceAll('\\', 'L'))],
    [
      'output may go anywhere',
      misread((line) => line.replaceAll(/> (?:uploads\/a\.txt|b\.csv|outputs\/\.\.\/b\.csv)/g, '> outputs/o')),
    ],
    ['sort only reads', plainly('sort')],
    ['uniq only reads', plainly('uniq')],
    ['test only tests', plainly('test')],
    ['find only looks', plainly('find')],
  ])('it is found when %s', { timeout: 3_600_000 }, (_, beliefOf) => {
    const suspects = lines
      .slice(0, sifted)
      .values()
      .filter((line) => {
        const [broken, right] = [beliefOf(line), believed(line)]
        return (broken.isAllowed && !right.isAllowed) || (broken.plain !== undefined && right.plain === undefined)
      })
      .take(mostSuspects)
    expect(compare([...suspects], beliefOf).faults).not.toEqual([])
  })
})
