import { expect, test } from 'vitest'
import { OutputStream } from '../../src/outbound/output-stream.ts'
import type { Lease } from '../../src/store/store.ts'
import { newSession, openStore } from '../support/store.ts'

test('what a call of a turn that is over printed is not kept', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  let masks = 0
  const newMask = () => {
    masks++
    return { push: (text: string) => text, end: () => '' }
  }
  const stream = new OutputStream(store, () => {}, newMask as never)
  const lease = { session: id, epoch: 1 } as Lease
  stream.push(lease, 'turn_1', 'call_1', 'a')
  stream.push(lease, 'turn_1', 'call_1', 'b')
  expect(masks).toBe(1)
  stream.leave({ ...lease })
  stream.push(lease, 'turn_1', 'call_1', 'c')
  expect(masks).toBe(1)
  stream.leave(lease)
  stream.push(lease, 'turn_1', 'call_1', 'd')
  expect(masks).toBe(2)
  stream.stop()
})
