import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { planOf } from '../../src/kit/shell/plan.ts'
import { patienceMs } from '../support/until.ts'
import { anyCommand, literalPipeline } from './grammar.ts'
import { stubbedBash } from './real-bash.ts'

const bash = stubbedBash()
afterAll(() => bash.end())

// The real ones leave no trace, but this one is not everywhere.
const lookedThrough = ['time']

const numRuns = Number(process.env.BOBBIN_SHELL_RUNS ?? 200)

describe('what bash really runs', () => {
  test('every program that ran was found, or the command was not understood', { timeout: 3_600_000 }, async () => {
    let clear = 0
    let started = 0
    await fc.assert(
      fc.asyncProperty(anyCommand, async (command) => {
        const plan = planOf(command)
        if (plan.unclear.length > 0) return
        clear++
        // `bash gamma` finds a script by its name in PATH; that is told as a file that runs.
        const seen = new Set([...plan.invocations.map(({ program }) => program), ...plan.runs, ...lookedThrough])
        const ran = await bash.run(command)
        started += ran.length
        const missed = ran.filter(({ program }) => !seen.has(program))
        expect(missed, command).toEqual([])
      }),
      { numRuns: numRuns * 2 },
    )
    // Otherwise this shows nothing.
    expect(clear).toBeGreaterThan(numRuns / 5)
    expect(started).toBeGreaterThan(numRuns / 2)
    if (process.env.BOBBIN_SHELL_RUNS) console.log({ clear, started })
  })

  test('literal arguments are those that the program got', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(literalPipeline, async (command) => {
        const plan = planOf(command)
        expect(plan.unclear, command).toEqual([])
        const told = plan.invocations.map(({ program, args }) => JSON.stringify([program, args])).sort()
        const ran = (await bash.run(command, patienceMs))
          .map(({ program, args }) => JSON.stringify([program, args]))
          .sort()
        expect(told, command).toEqual(ran)
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    )
  })

  test('the text of a command reads as the same command again', () => {
    fc.assert(
      fc.property(fc.oneof(anyCommand, literalPipeline), (command) => {
        const plan = planOf(command)
        if (plan.unclear.length > 0) return
        for (const { program, args, text } of plan.invocations) {
          const [again] = planOf(text).invocations
          expect({ program: again?.program, args: again?.args }, text).toEqual({ program, args })
        }
      }),
      { numRuns },
    )
  })
})
