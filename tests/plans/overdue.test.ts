import { expect, test } from 'vitest'
import { overdueJob } from '../../src/capabilities/plans/overdue.ts'
import type { Services } from '../../src/turn/port/scope.ts'
import { openStore } from '../support/store.ts'

test('the time limit of a step that hasn’t begun is looked at again', async () => {
  const clock = { now: () => 1_000_000 }
  const services = { store: await openStore(clock), clock } as unknown as Services
  const job = overdueJob(services, { run: { minutes: 20 } } as Parameters<typeof overdueJob>[1])
  const input = { input: { call: 'call_1' } } as unknown as Parameters<typeof job.run>[0]
  expect(await job.run(input)).toEqual({ again: 1_060_000 })
})
