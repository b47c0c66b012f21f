import { posix } from 'node:path'
import type { Invocation } from '../../../kit/shell/plan-types.ts'

const shells = new Set(['bash', 'sh', 'dash', 'ksh', 'ash', 'source', '.'])

export const isShell = ({ program }: Invocation): boolean => shells.has(program)

/** Options of a shell; behind its first other word are those of the script. */
function ownOptions({ args }: Invocation): string[] {
  const options: string[] = []
  for (let at = 0; /^[-+]/.test(args[at] ?? ''); at++) {
    const option = args[at] ?? ''
    if (/^--?$/.test(option)) break
    options.push(option)
    if (/^(?:[-+]\w*[oO]|--?(?:rcfile|init-file))$/.test(option)) at++
  }
  return options
}

/** `-rcfile` and the like are also written with one dash. */
const takesText = (option: string): boolean =>
  /^-[a-zA-Z]*c[a-zA-Z]*$/.test(option) && !/^-(?:rcfile|norc|restricted|protected)$/.test(option)

/** Not only a text in its arguments. */
export const readsFile = (one: Invocation): boolean =>
  isShell(one) && (/^(?:source|\.)$/.test(one.program) || !ownOptions(one).some(takesText))

/** A shell reads what the kernel can't start: a text without `#!`. */
export const isRunAs = ({ as }: Invocation, path: string, text: string): boolean =>
  as.includes('/') && posix.basename(as) === posix.basename(path) && !/^(?:#!|[^\n]*\0)/.test(text)
