import { has, optionValue, readOptions } from '../options.ts'
import { optionsByName } from '../options-by-name.ts'
import { type ProgramReader, subshell, unclear } from '../scope.ts'
import { filledIn, literal, type ShellWord } from '../shell-word.ts'

/** Runs its words with names that it reads. */
export const xargs: ProgramReader = (call, scope) => {
  const read = readOptions(call.words.slice(1), {
    short: 'adEILnPs',
    glued: 'ile',
    long: ['--arg-file', '--delimiter', '--max-args', '--max-procs', '--max-chars', '--process-slot-var'],
  })
  if (read.computed) unclear(scope, 'the program that xargs runs is computed')
  const replace = optionValue(read, '-I', '-i', '--replace')?.value ?? (has(read, '-i', '--replace') ? '{}' : undefined)
  if (has(read, '-I') && optionValue(read, '-I')?.value === undefined) unclear(scope, 'what xargs replaces is computed')
  for (const word of call.words.slice(1)) if (word.value?.startsWith('/')) scope.findings.plan.paths.push(word.value)
  if (read.operands.length === 0) return undefined
  const inner = inserted(read.operands, replace)
  if (replace === undefined) inner.push(filledIn)
  // With a file of names, the programs read what xargs itself would.
  const isNamed = has(read, '-a', '--arg-file')
  scope.call({ words: inner, assigns: call.assigns, input: isNamed ? call.input : { kind: 'nothing' } })
  return 'replaced'
}

/** Runs words with names that it finds. */
export const find: ProgramReader = (call, scope, program, code) => {
  const words = call.words.slice(1)
  const outside = words.findIndex(({ value }) => value?.startsWith('-exec') || value?.startsWith('-ok'))
  const own = words.filter((word, at) => outside < 0 || at < outside || word.several)
  optionsByName({ ...call, words: [literal(program), ...own] }, scope, program, code)
  const starts = new Set(['-exec', '-execdir', '-ok', '-okdir'])
  for (const [at, { value }] of words.entries()) {
    if (!starts.has(value ?? '')) continue
    const rest = words.slice(at + 1)
    const end = rest.findIndex(
      (word, place) => word.value === ';' || (word.value === '+' && rest[place - 1]?.value === '{}'),
    )
    if (end < 0) unclear(scope, `what ${value} of find runs has no end`)
    const inside = subshell(scope)
    if (value?.includes('dir')) inside.directories = undefined
    if (end > 0) inside.call({ words: inserted(rest.slice(0, end), '{}'), assigns: [], input: { kind: 'unseen' } })
  }
  return undefined
}

/** Words with a placeholder in them aren't known any more. */
const inserted = (words: ShellWord[], placeholder: string | undefined): ShellWord[] =>
  words.map((word) => (placeholder && word.value?.includes(placeholder) ? filledIn : word))
