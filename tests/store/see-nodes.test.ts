import { expect, test } from 'vitest'
import { seeNodes } from '../../src/store/see-nodes.ts'

const lock = (name: string, beat_at: number) => ({ name, holder: name, host: 'elsewhere', pid: 1, beat_at })

test('a beat that looks old by the clock counts as silence only if it does not change', async () => {
  const now = Date.now()
  const locks = [lock('node late', now - 120_000), lock('node fresh', now), lock('node gone', now - 120_000)]
  const seen = await seeNodes(locks, 2_000, async () => [
    ...[lock('node late', now - 119_000), lock('node fresh', now + 1)],
    lock('node gone', now - 120_000),
  ])
  expect(seen.map(({ name, pulse }) => `${name} ${pulse}`)).toEqual(['late beats', 'fresh beats', 'gone silent'])
})

test('nobody waits for a process that is alone, and other locks are no processes', async () => {
  const locks = [lock('engine', 5), lock('duty discord gateway', 5)]
  const seen = await seeNodes(locks, 2_000, () => Promise.reject(new Error('nothing is read again')))
  expect(seen).toMatchObject([{ name: undefined, pulse: 'silent', state: 'working' }])
})
