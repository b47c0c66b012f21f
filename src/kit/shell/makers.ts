import { insideHome } from '../sandbox/port.ts'
import type { CommandPlan, Invocation } from './plan-types.ts'

/** These make no file: they print, test, wait or change the folder, and `mkdir` makes nothing but real folders. */
const idle = new Set(
  '[ : cat cd cut date echo false grep head jq ls mkdir nl popd printf pushd pwd seq set sleep stat tail test tr true wc'.split(
    ' ',
  ),
)
const harmless = /^(?:\d+|-|\/dev\/(?:null|stdout|stderr))$/

type Parts = Pick<CommandPlan, 'invocations' | 'redirections' | 'runs'>

const isIdle = ({ program, as, assigns }: Invocation): boolean =>
  as === program && assigns.length === 0 && idle.has(program)

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
const onlyReads = /^(?:df|du|find)$/
const goes = /^(?:cd|pushd)$/

/** Whether it names HOME, or what that lies in, so that it may put something there. */
function reachesHome(one: Invocation): boolean {
  const { program, args, text } = one
  if (isIdle(one) && !goes.test(program)) return false
  if (named.test(text) || (args.length === 0 && goes.test(program))) return true
  if (program === 'tar' && args.some((arg) => /^-?[A-Za-z]*P|^--abs/.test(arg ?? ''))) return true
  return args.some((arg = '') => inHome.test(arg) || (root.test(arg) && !onlyReads.test(program)))
}

/** An archive or a link may lead to HOME without a word about it, so before what runs code nothing is made. */
function startsFromHome({ invocations, redirections, runs }: Parts): string[] {
  if (invocations.every((one) => readAtStart(one) === undefined)) return []
  const isWritten = redirections.some(
    ({ operator, target, source = target ?? '' }) =>
      operator.includes('>') && (inHome.test(source) || named.test(source)),
  )
  const reaching = countMakers({ invocations, redirections, runs }) > 1 ? invocations.filter(reachesHome) : []
  // What shells are given to run stands in the plan as well.
  const isFollowed = ({ program }: Invocation) => shells.test(program) || /^(?:source|\.)$/.test(program)
  const firstMaker = invocations.findIndex((one) => !isIdle(one) && !isFollowed(one) && readAtStart(one) === undefined)
  const found = invocations.flatMap((one, at) => {
    const isAfterMaker = one.program !== 'curl' && firstMaker !== -1 && firstMaker < at
    const mayBeMade = isWritten || isAfterMaker || reaching.some((other) => other !== one)
    return (mayBeMade && readAtStart(one)) || []
  })
  return [...new Set(found)]
}
