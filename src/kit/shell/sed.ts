import { fromInput } from './input.ts'
import { has, readOptions } from './options.ts'
import { optionsByName } from './options-by-name.ts'
import { type ProgramReader, runsFile, type Scope, unclear } from './scope.ts'

export const sed: ProgramReader = (call, scope, program, code) => {
  optionsByName(call, scope, program, code)
  const read = readOptions(call.words.slice(1), {
    short: 'efl',
    glued: 'i',
    long: ['--expression', '--file', '--line-length'],
    mixed: true,
  })
  const expressions = read.options.filter(({ name }) => ['-e', '--expression'].includes(name)).map(({ value }) => value)
  const filed = read.options.filter(({ name }) => ['-f', '--file'].includes(name))
  const isContained = has(read, '--sandbox')
  for (const { value } of filed) {
    if (value?.value !== '-') runsFile(scope, value?.value, program)
    else if (!isContained) fromInput(call, scope, program, (text) => sedText(text, scope, program))
  }
  const texts = expressions.length + filed.length > 0 ? expressions : read.operands.slice(0, 1)
  if (!isContained) for (const text of texts) sedText(text?.value, scope, program)
  return undefined
}

function sedText(text: string | undefined, scope: Scope, program: string) {
  if (text === undefined) unclear(scope, `the text that ${program} runs is computed`)
  else if (text.split('\n').some(sedMayRun)) unclear(scope, `the text of ${program} may run a program or write a file`)
}

const plainSubstitution = (text: string): boolean => {
  const [, delimiter] = /^(?:[0-9,$]*|\/[^/\\]*\/)\s*[sy]([^\w\s\\])/.exec(text) ?? []
  if (!delimiter) return false
  const parts = text.replace(/\\[\s\S]/g, 'Q').split(delimiter)
  const [flags] = text.startsWith('/') && delimiter === '/' ? parts.slice(4) : parts.slice(3)
  const expected = text.startsWith('/') && delimiter === '/' ? 5 : 4
  return parts.length === expected && /^[gpiI0-9]*\s*$/.test(flags ?? 'e') && !text.includes('\n')
}

/** Everything but plain substitutions, printing and deleting isn't followed. */
function sedMayRun(text: string): boolean {
  const statements = text.includes(';') && !plainSubstitution(text) ? text.split(';') : [text]
  return !statements.every((statement) => {
    const bare = statement.trim()
    return (
      bare === '' ||
      plainSubstitution(bare) ||
      /^(?:(?:[0-9]+|\$|\/[^/\\;]*\/)(?:,(?:\+?[0-9]+|\$|\/[^/\\;]*\/))?)?\s*!?[pdqQ=nNDPgGhHx]$/.test(bare)
    )
  })
}
