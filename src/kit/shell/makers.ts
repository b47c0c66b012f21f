import { insideHome } from '../sandbox/port.ts'
import { isIdle, makesNothing } from './idle.ts'
import type { CommandPlan, Invocation } from './plan-types.ts'

const harmless = /^(?:\d+|-|\/dev\/(?:null|stdout|stderr))$/

type Parts = Pick<CommandPlan, 'invocations' | 'redirections' | 'runs'>

/** How many parts of a command could make a file. One alone can't have made what it runs itself. */
export function countMakers(plan: Parts | undefined): number {
  if (plan === undefined) return 0
  const { invocations, redirections } = plan
  const isOpened = redirections.some(
    ({ operator, target }) => operator.includes('>') && (target === undefined || !harmless.test(target)),
  )
  return invocations.filter((one) => !isIdle(one)).length + (isOpened ? 1 : 0)
}

/** Why what lies in folders that are empty at first may be made and run by the same command. */
export function madeAndRun(plan: Parts): string[] {
  const isEmptyAtFirst = (path: string) => ['/tmp/', `${insideHome}/`].some((folder) => path.startsWith(folder))
  const runs = countMakers(plan) > 1 ? plan.runs.filter(isEmptyAtFirst) : []
  return [
    ...runs.map((path) => `${path} may be made and run by the same command`),
    ...startsFromHome(plan).map((path) => `${path} may be made by the same command, and is read as it starts`),
  ]
}

const shells = /^(?:ba|da|a|k|mk|rba|z|fi|c|tc)?sh$/
const isLogin = ({ program, args }: Invocation): boolean =>
  (shells.test(program) && args.some((arg) => /^[-+][A-Za-z]*l[A-Za-z]*$|^--login$/.test(arg ?? ''))) ||
  (/^(?:su|runuser)$/.test(program) && args.some((arg) => /^-[A-Za-z]*l?$|^--l/.test(arg ?? '')))

/** What a program reads from HOME by itself, without a word about it. */
function readAtStart(one: Invocation): string | undefined {
  if (isLogin(one)) return '~/.profile'
  return /^(?:curl|wget)$/.test(one.program) ? `~/.${one.program}rc` : undefined
}

/** By an absolute path, by one that goes up, or behind an option. */
const inHome = /^(?:[^/]*=|-[A-Za-z])?(?:\/|\.\.\/)[/.]*home(?:\/|$)/
const root = /^\/[/.]*$/
const named = /(?:^|[\s"'=:])(?:-[A-Za-z])?(?:~|\$\{?HOME\b)/
const onlyReads = /^(?:df|tree)$/
/** Under whatever name its folder has. */
const curlSettings = /\bcurlrc\b/
const goes = /^(?:cd|pushd)$/

/** A name that is settings' own: with a dot in front, or put together without another ending. */
const isSettings = (source: string): boolean => {
  const name = source.replace(/^.*\/|["']+$/gs, '')
  return name.startsWith('.') || (/[$`*?[{]/.test(name) && !/.\.\w{1,4}$/.test(name))
}
const begins = /^["']*(?:[$`*?[{/]|\.\.)/

/** Into a folder that isn't known. */
const isAstray = ({ operator, target, source = target ?? '' }: Parts['redirections'][number], leaves: boolean) =>
  operator.includes('>') &&
  isSettings(source) &&
  (leaves ? !source.startsWith('/') : target === undefined && begins.test(source))

const leavesFolder = ({ program, args }: Invocation): boolean =>
  goes.test(program) && args.some((arg = '..') => /^\.\.(?:\/|$)/.test(arg))

/** Only such an archive, unless it is being made, is unpacked by absolute paths. */
function isAbsolute({ program, args }: Invocation): boolean {
  // Behind some letters, the rest of the word is a value.
  const [first = ''] = args
  if (program !== 'tar' || /^-?[^\WbfgCFHIKLNTVX]*c/.test(first)) return false
  return /^[A-Za-z]*P[A-Za-z]*$/.test(first) || args.some((arg = '') => /^-[^\WbfgCFHIKLNTVX]*P|^--ab/.test(arg))
}

/** Whether it names HOME, or what that lies in, so that it may put something there. */
function reachesHome(one: Invocation): boolean {
  const { program, args, text } = one
  if (makesNothing(one) && !goes.test(program)) return false
  if (named.test(text) || (args.length === 0 && goes.test(program))) return true
  if (isAbsolute(one) || (program !== 'curl' && curlSettings.test(text))) return true
  return args.some((arg = '') => inHome.test(arg) || (root.test(arg) && !onlyReads.test(program)))
}

/** An archive or a link may lead to HOME without a word about it, so before what runs code nothing is made. */
function startsFromHome({ invocations, redirections, runs }: Parts): string[] {
  if (invocations.every((one) => readAtStart(one) === undefined)) return []
  const isWritten = redirections.some(
    ({ operator, target, source = target ?? '' }) =>
      operator.includes('>') && (inHome.test(source) || named.test(source) || curlSettings.test(source)),
  )
  const leaves = invocations.some(leavesFolder)
  const isAnywhere = redirections.some((one) => isAstray(one, leaves))
  const reaching = countMakers({ invocations, redirections, runs }) > 1 ? invocations.filter(reachesHome) : []
  // What shells are given to run stands in the plan as well.
  const isFollowed = ({ program }: Invocation) => shells.test(program) || /^(?:source|\.)$/.test(program)
  const isMaker = (one: Invocation) => !makesNothing(one) && !isFollowed(one) && readAtStart(one) === undefined
  const firstMaker = invocations.findIndex(isMaker)
  const found = invocations.flatMap((one, at) => {
    const isAfterMaker = (firstMaker !== -1 && firstMaker < at) || (isAnywhere && at > 0)
    const mayBeMade = isWritten || (one.program !== 'curl' && isAfterMaker) || reaching.some((other) => other !== one)
    return (mayBeMade && readAtStart(one)) || []
  })
  return [...new Set(found)]
}
