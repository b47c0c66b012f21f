import { markOfTask } from '../hands.ts'
import { routes } from '../plan.ts'
import type { Evidence } from './check.ts'
import { groupBy, markIn, type Rows } from './rows.ts'

/** The agents of a route each worked on its message; in a chain, the second one on what the first had found. */
export function checkRoutes({ rows, fault }: Evidence): void {
  const done = new Set(rows.turns.flatMap(({ id, state }) => (state === 'done' ? [id] : [])))
  const given = new Map(
    rows.calls.flatMap((row) => (row.tool === 'delegate_task' ? [[markOfTask(row.arguments), row] as const] : [])),
  )
  const children = new Map(rows.sessions.map(({ id, parent_call }) => [parent_call, id]))
  const work = new Map(rows.turns.map((row) => [row.session_id, row]))
  const workFor = (mark: string) => {
    const session = children.get(given.get(mark)?.id ?? null)
    return session && work.get(session)
  }
  for (const [turn, messages] of groupBy(rows.messages.filter(isRouted), ({ turn_id }) => `${turn_id}`)) {
    // Of several, the latest has taken the agents from the others.
    if (messages.length > 1 || !done.has(turn as never)) continue
    const text = messages[0]?.text ?? ''
    const parts = routeOf(text) === 'team' ? ['g', 'h'] : ['i', 'j']
    const marks = parts.map((part) => markIn(text).replace('tok', `sub-${part}`))
    for (const mark of marks) if (!given.has(mark)) fault('route', `${mark} of ${turn} was given to nobody`)
    if (routeOf(text) === 'team') continue
    const [first = '', second = ''] = marks
    if (given.get(second)?.arguments.includes(`did ${first}`) !== true)
      fault('route', `${second} knows nothing of ${first}`)
    if ((workFor(second)?.started_at ?? 0) < (workFor(first)?.ended_at ?? Number.POSITIVE_INFINITY))
      fault('route', `${second} began before ${first} had ended`)
  }
}

const routeOf = (text: string) => {
  const words = /steps: ([^.]*)\./.exec(text)?.[1]?.split(' ') ?? []
  return routes.find((route) => words.includes(route))
}

const isRouted = ({ role, origin, text }: Rows['messages'][number]): boolean =>
  role === 'user' && origin === 'person' && routeOf(text ?? '') !== undefined
