import { expect, test } from 'vitest'
import { createChild } from '../../src/store/children.ts'
import { newSession, openStore } from '../support/store.ts'

test('a subagent whose name another one of the channel has already gets another name', async () => {
  const store = await openStore()
  const parents = [await newSession(store), await newSession(store, 'msg_2')]
  const names = ['subagent-00000001', 'subagent-00000001', 'subagent-00000002']
  const begun: (string | undefined)[] = []
  for (const [place, parent] of parents.entries()) {
    const child = {
      call: `call_${place}`,
      turn: `turn_${place}`,
      title: 'Count.',
      agent: undefined,
      maxSteps: 3,
    } as const
    const begin = () => store.transaction((tx) => createChild(tx, parent, child, () => names.shift() ?? 'subagent'))
    begun.push((await begin()).parent?.name)
  }
  expect(begun).toEqual(['subagent-00000001', 'subagent-00000002'])
})
