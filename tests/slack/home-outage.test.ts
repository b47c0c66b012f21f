import { expect, test } from 'vitest'
import { Unavailable } from '../../src/kit/failure.ts'
import { openBench } from './support.ts'

test('a Home that met an outage when it was opened is shown once that is over', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  let asked = 0
  sink.home = async () => {
    if (asked++ < 2) throw new Unavailable('too_many_files', 'Too many are open.', 'Wait', { passes: true })
    return undefined
  }
  server.people.openHome('ana', { tab: 'home' })
  const { text } = await server.until(() => server.people.home('ana'))
  expect(text).toBe('You’re not allowed to use me here.')
  expect(asked).toBeGreaterThan(2)
})
