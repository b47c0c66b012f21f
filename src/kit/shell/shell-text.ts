import { type Call, type Scope, subshell, unclear } from './scope.ts'
import type { ShellWord } from './shell-word.ts'

/** Words that a program joins with spaces and runs as a script. */
export function shellText(words: ShellWord[], call: Call, scope: Scope, program: string) {
  if (words.some(({ value }) => value === undefined)) return unclear(scope, `the text that ${program} runs is computed`)
  const inside = { ...subshell(scope), posix: !/^(?:r?bash)/.test(program) }
  inside.script(words.map(({ value }) => value).join(' '), call.input)
}
