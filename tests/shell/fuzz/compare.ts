import { posix } from 'node:path'
import { plainCommands } from '../../../src/kit/shell/plain.ts'
import type { PlainCommand } from '../../../src/kit/shell/plan-types.ts'
import { decide } from '../../../src/trust/policy.ts'
import { command } from '../../decisions/subjects.ts'
import { rulesWith } from '../../support/rules.ts'
import { type Done, runAll } from './oracle.ts'

/** What is believed of a line before it runs. */
export interface Belief {
  /** Its commands, where it is in the small language. */
  plain: PlainCommand[] | undefined
  /** Nobody would be asked. */
  isAllowed: boolean
}

const rules = rulesWith()

export const believe = (line: string): Belief => ({
  plain: plainCommands(line, ''),
  isAllowed: decide(rules, command(line)).kind === 'allow',
})

interface Fault {
  line: string
  what: string
}

export interface Compared {
  /** Lines that ran: in the small language, and let through. */
  recognised: number
  allowed: number
  /** Calls that bash made. */
  called: number
  faults: Fault[]
}

/** What bash did beyond what was believed. */
export function compare(lines: string[], beliefOf: (line: string) => Belief = believe): Compared {
  const all = lines.map((line) => ({ line, ...beliefOf(line) }))
  const running = all.filter(({ plain, isAllowed }) => plain !== undefined || isAllowed)
  const done = runAll(running.map(({ line, isAllowed }) => ({ line, isReal: isAllowed })))
  const faults = running.flatMap(({ line, plain }, at) =>
    faultsOf(plain, done[at] as Done).map((what) => ({ line, what })),
  )
  return {
    recognised: running.length,
    allowed: running.filter(({ isAllowed }) => isAllowed).length,
    called: done.reduce((sum, { called }) => sum + called.length, 0),
    faults,
  }
}

function faultsOf(plain: PlainCommand[] | undefined, { called, others, changed }: Done): string[] {
  if (plain === undefined) return ['it is let through, and is not in the small language']
  const left = [...plain]
  const unexpected = called.filter((call) => {
    const at = left.findIndex((one) => isCallOf(one, call))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  const targets = plain.flatMap(({ redirections }) => redirections.map(({ target }) => posix.normalize(target)))
  return [
    ...unexpected.map((call) => `bash called ${JSON.stringify(call)}`),
    ...others.map((call) => `${JSON.stringify(call)} ran beside the programs that may`),
    ...changed.filter((path) => !targets.includes(path)).map((path) => `it changed ${path}`),
  ]
}

/** Literal words as they are; a glob gives names that begin like it, or itself. */
function isCallOf({ text, words }: PlainCommand, [program, ...args]: string[]): boolean {
  if (text.split(' ', 1)[0] !== program) return false
  const fits = (at: number, place: number): boolean => {
    const word = words[at]
    if (word === undefined) return place === args.length
    if (word.expands === 'no') return args[place] === word.value && fits(at + 1, place + 1)
    const beginning = word.expands === 'to anything' ? '' : word.value.slice(0, 1)
    for (let end = place; args[end]?.startsWith(beginning) === true; end++) if (fits(at + 1, end + 1)) return true
    return false
  }
  return fits(0, 0)
}
