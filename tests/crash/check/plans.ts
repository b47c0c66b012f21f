import type { Evidence } from './check.ts'
import { groupBy } from './rows.ts'

/** Each plan ended in one of its named states, each of its steps was done once, and none before what it depends on. */
export function checkPlans({ rows, fault }: Evidence): void {
  const turns = new Map(rows.turns.map((row) => [row.id, row]))
  const steps = groupBy(rows.steps, ({ plan_id }) => plan_id)
  const children = new Map(rows.sessions.map((row) => [`${row.parent_call}`, row.id]))
  const work = new Map(rows.turns.map((row) => [row.session_id, row]))
  for (const { id, turn_id, status, why, title } of rows.plans) {
    const where = `${id} (${title})`
    const of = steps.get(id) ?? []
    if (status === 'planning' || status === 'in_progress') fault('plan', `${where} is still ${status}`)
    if (turns.get(turn_id)?.state === 'stopped') continue
    const wanted = why === null ? 'completed' : 'failed'
    if (status !== wanted) fault('plan', `${where} is ${status}: ${why}`)
    for (const step of of) {
      if (step.status !== wanted) fault('plan', `step ${step.number} of ${where} is ${step.status}`)
      if (step.attempt !== (why === null ? 1 : 0))
        fault('plan', `step ${step.number} of ${where} had ${step.attempt} tries`)
    }
    if (why !== null) continue
    const turnOf = (number: number) => {
      const call = of.find((step) => step.number === number)?.call_id
      const session = children.get(`${call}`)
      return session && work.get(session)
    }
    for (const { number, after_steps } of of) {
      const begun = turnOf(number)?.started_at ?? Number.POSITIVE_INFINITY
      for (const earlier of JSON.parse(after_steps) as number[])
        if ((turnOf(earlier)?.ended_at ?? Number.POSITIVE_INFINITY) > begun)
          fault('plan', `step ${number} of ${where} began before step ${earlier} had ended`)
    }
  }
}
