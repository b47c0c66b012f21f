import { posix } from 'node:path'
import type { Inspection } from '../domain/inspection.ts'
import { insideWorkspace } from '../kit/sandbox/port.ts'
import { trustWords } from './words.ts'

/** Marks a path whose folder isn't known. */
export const anywhere = '?'

/** Where in the workspace a command redirects its output. After `cd` that may be any folder. */
export function pathsWritten(inspection: Inspection): string[] {
  const isUnsure = moves(inspection)
  return targetsIn(inspection)
    .filter((target) => target !== undefined)
    .map((target) =>
      isUnsure && !target.startsWith('/') ? `${anywhere}/${posix.basename(target)}` : fromWorkspace(inspection, target),
    )
    .filter((path) => !path.startsWith('../'))
}

/** The same for the card, without the folders every command may write to. */
export function writesShown(inspection: Inspection): string[] {
  const isUnsure = moves(inspection)
  const shown = targetsIn(inspection).flatMap((target) => {
    if (target === undefined) return [trustWords.nameNotKnown()]
    if (/^\/(tmp\/|dev\/(null|stdout|stderr)$)/.test(posix.normalize(target))) return []
    if (isUnsure && !target.startsWith('/')) return [trustWords.inItsFolder({ path: target })]
    const path = fromWorkspace(inspection, target)
    if (path.startsWith('../')) return [posix.resolve(insideWorkspace, inspection.directory ?? '', target)]
    return /^(outputs|temp)\//.test(path) ? [] : [path]
  })
  return [...new Set(shown)]
}

/** With more of them, a long line would take long to look at. */
const mostMoves = 10

/** Files of the workspace that a line names, in its folder or one that its `cd`s move to, one after the other. */
export function pathsNamed({ plan, directory = '' }: Inspection): string[] {
  if (plan === undefined) return []
  const moved = plan.invocations.filter(isMove).flatMap(({ args: [to] }) => to ?? [])
  const folders = [directory]
  for (const to of moved.slice(0, mostMoves)) folders.push(posix.resolve(insideWorkspace, folders.at(-1) ?? '', to))
  const targets = plan.redirections.flatMap(({ target }) => target ?? [])
  return [...plan.paths, ...targets]
    .flatMap((path) => folders.map((folder) => fromWorkspace({ directory: folder }, path)))
    .filter((path) => path !== '' && !path.startsWith('../'))
}

const isMove = ({ program }: { program: string }): boolean => /^(cd|pushd|popd)$/.test(program)

const moves = ({ plan }: Inspection): boolean => plan?.invocations.some(isMove) === true

const targetsIn = ({ plan }: Inspection): (string | undefined)[] =>
  plan?.redirections.filter(({ operator }) => operator.includes('>')).map(({ target }) => target) ?? []

const fromWorkspace = ({ directory = '' }: Pick<Inspection, 'directory'>, target: string): string =>
  posix.relative(insideWorkspace, posix.resolve(insideWorkspace, directory, target))
