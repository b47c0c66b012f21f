import { optionValue, readOptions } from '../options.ts'
import { joined, type ProgramReader, subshell, unclear } from '../scope.ts'
import { literal } from '../shell-word.ts'
import { namedAnew } from './wrap.ts'

export const env: ProgramReader = (call, scope) => {
  const words = [...call.words.slice(1)]
  const assigns = [...call.assigns]
  const inside = subshell(scope)
  for (let rounds = 0; rounds < 20; rounds++) {
    const read = readOptions(words, { short: 'auCS', long: ['--argv0', '--unset', '--chdir', '--split-string'] })
    for (const { name, value } of read.options) {
      if (name === '-C' || name === '--chdir') {
        const to = value?.value
        inside.directories = to === undefined ? undefined : inside.directories?.map((from) => joined(from, to, scope))
      }
      if ((name === '-u' || name === '--unset') && value?.value === undefined)
        unclear(scope, 'an option of env is computed')
    }
    namedAnew(read, scope, 'env')
    const split = optionValue(read, '-S', '--split-string')
    if (split) {
      if (split.value === undefined || !/^[\w ./:,+@%=-]*$/.test(split.value)) {
        unclear(scope, 'what env splits into words is not followed')
        return undefined
      }
      words.splice(0, words.length, ...split.value.split(' ').filter(Boolean).map(literal), ...read.operands)
      continue
    }
    if (read.computed) unclear(scope, 'the program that env runs is computed')
    words.splice(0, words.length, ...read.operands.slice(read.operands[0]?.value === '-' ? 1 : 0))
    break
  }
  for (;;) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(words[0]?.value ?? '') ?? []
    if (name === undefined || value === undefined) break
    assigns.push({ name, value: literal(value) })
    words.shift()
  }
  if (words.length === 0) return undefined
  inside.call({ words, assigns, input: call.input })
  return 'replaced'
}
