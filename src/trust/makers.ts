import type { Inspection } from '../domain/inspection.ts'

/** These make no file: they print, test or change the folder, and `mkdir` makes nothing but real folders. */
const idle = new Set(
  '[ : cat cd cut date echo false grep head ls mkdir nl popd printf pushd pwd stat tail test tr true wc'.split(' '),
)
const harmless = /^(?:\d+|-|\/dev\/(?:null|stdout|stderr))$/

/** How many parts of a command could make a file. One alone can't have made what it runs itself. */
export function countMakers({ plan }: Inspection): number {
  if (plan === undefined) return 0
  const { invocations, redirections } = plan
  const isOpened = redirections.some(
    ({ operator, target }) => operator.includes('>') && (target === undefined || !harmless.test(target)),
  )
  const isIdle = ({ program, as, assigns }: (typeof invocations)[number]) =>
    as === program && assigns.length === 0 && idle.has(program)
  return invocations.filter((one) => !isIdle(one)).length + (isOpened ? 1 : 0)
}
