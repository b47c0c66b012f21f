import { expect, test } from 'vitest'
import { createChild } from '../../src/store/children.ts'
import { turnsOfPerson } from '../../src/store/person-turns.ts'
import { advanceTurn, createTurn, tokensOf } from '../../src/store/turns.ts'
import { ana, newSession, openStore } from '../support/store.ts'

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

test('what subagents take in tokens counts for their thread and for whoever began it, but their turns don’t', async () => {
  const store = await openStore()
  const [thread, other] = [await newSession(store), await newSession(store, 'msg_2')]
  await store.transaction(async (tx) => {
    const child = { call: 'call_1', turn: 'turn_1', title: 'Count.', agent: undefined, maxSteps: 3 } as const
    const { id } = await createChild(tx, thread, child)
    for (const [session, input] of [[thread.id, 1] as const, [id, 20] as const, [other.id, 300] as const]) {
      const turn = await createTurn(tx, session, 1, { person: ana, timeZone: 'UTC' })
      await advanceTurn(tx, turn.id, { usage: { input, output: 2, cached: 1 }, ends: 'done' })
    }
  })
  expect(await tokensOf(store.db, thread.id)).toEqual({ input: 21, output: 4, cached: 2 })
  expect(await tokensOf(store.db, other.id)).toEqual({ input: 300, output: 2, cached: 1 })
  expect(await turnsOfPerson(store.db, { ...thread.thread, person: ana.id }, 0)).toEqual({ turns: 2, tokens: 327 })
})
