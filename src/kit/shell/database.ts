import { optionValue, readOptions } from './options.ts'
import { type ProgramReader, runsFile, unclear } from './scope.ts'

export const database: ProgramReader = (call, scope, program, code) => {
  const read = readOptions(call.words.slice(1), {
    short: program === 'psql' ? 'cfdhpUvoFPRT' : 'efhPupD',
    long: ['--command', '--execute', '--file', '--cmd', '--init'],
    mixed: true,
  })
  const given = optionValue(read, '-c', '-e', '--command', '--execute', '--cmd', '-cmd')
  if (
    call.words.some(({ value }) => /^(?:--?cmd|--?init|\s*\.[a-z])/i.test(value ?? '')) &&
    program.startsWith('sqlite')
  ) {
    unclear(scope, `a command to ${program} may run programs`)
  }
  const texts = program.startsWith('sqlite') ? [...read.operands.slice(1)] : given ? [given] : []
  for (const { value } of texts) {
    code.push({ language: 'sql', text: value })
    if (value === undefined) unclear(scope, `the text that ${program} runs is computed`)
    else if (/(?:^|\n)[^\S\n]*\.[a-z]|\\|\bprogram\b|load_extension|\bsystem\b|(?:^|[;\n])\s*source\b/i.test(value))
      unclear(scope, `the text of ${program} may run programs`)
  }
  const file = optionValue(read, '-f', '--file')
  if (file && program === 'psql') runsFile(scope, file.value, program)
  if (texts.length > 0 || file) return undefined
  if (call.input.kind === 'text') code.push({ language: 'sql', text: call.input.text })
  if (call.input.kind === 'file') runsFile(scope, call.input.path, program)
  else if (call.input.kind !== 'nothing') unclear(scope, `what ${program} reads from its input cannot be seen`)
  return undefined
}
