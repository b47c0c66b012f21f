import { type ProgramReader, unclear } from './scope.ts'
import { mayBeOption } from './shell-word.ts'

// To these programs, a file called `--checkpoint-action=exec=sh x` among `*` is an option.
export const optionsByName: ProgramReader = (call, scope, program) => {
  const words = call.words.slice(1)
  const end = words.findIndex(({ value }) => value === '--')
  const open = end < 0 ? words : words.slice(0, end)
  const word = open.find((word) => word.value === undefined && mayBeOption(word))
  if (word)
    unclear(
      scope,
      `${word.source.slice(0, 40)} may become an option of ${program} that runs a program; write ./ or -- before it`,
    )
  return undefined
}
