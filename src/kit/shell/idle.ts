import { isPlainUse } from './plain-use.ts'
import type { Invocation } from './plan-types.ts'

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')))

/** These make no file: they print, test, wait or change the folder, and `mkdir` makes nothing but real folders. */
const idle = setOf(
  '[ : cat cd cut date echo false grep head jq ls mkdir nl popd printf pushd pwd seq set sleep stat tail test tr true',
  'wc',
)

/** These don't either, but remove files, or set what programs are found and how they read. */
const quiet = setOf(
  'basename chmod cksum cmp comm declare dirname du exit export id local md5sum paste ps readlink readonly realpath',
  'return rg rm rmdir sha1sum sha256sum sha512sum type uname unset wait which whoami',
)
/** These don't with most options. */
const careful = setOf('df diff file find sort uniq')

const isAsNamed = ({ program, as, assigns }: Invocation): boolean => as === program && assigns.length === 0

export const isIdle = (one: Invocation): boolean => isAsNamed(one) && idle.has(one.program)

/** Expressions of sed that write and run nothing. */
const edit = /^(?:(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq]|s\/[^/\\\n]*\/[^/\\\n]*\/[gp\d]*)$/

const onlyPrints = (args: string[]): boolean => {
  const [expression = ''] = args.filter((arg) => !arg.startsWith('-'))
  return edit.test(expression) && args.every((arg) => !arg.startsWith('-') || /^-[nErs]+$/.test(arg))
}

/** Whether it puts nothing into any file. */
export function makesNothing(one: Invocation): boolean {
  const { program, args } = one
  if (isIdle(one)) return true
  if (!isAsNamed(one)) return false
  if (program === 'command') return /^-[vV]$/.test(args[0] ?? '')
  if (program === 'sed') return onlyPrints(args.map((arg = '-') => arg))
  if (quiet.has(program)) return true
  const words = args.map((value = '', at) => {
    const expands = args[at] === undefined ? ('to anything' as const) : ('no' as const)
    return { value, source: value, expands }
  })
  return careful.has(program) && isPlainUse(program, words)
}
