import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { shippedConfig } from '../support/shipped.ts'

test('when the group that may answer a question can’t be looked up, whoever answers is to try again', async () => {
  const questions = { ...shippedConfig().rules.questions, who: ['group:admins'] }
  const script = [calls('ask_human', { question: 'Which one?' }), says('Thanks.')]
  const { memory } = await startMemoryBot({ script, config: { rules: { questions } } })
  const asked = await memory.say('ana', '@bobbin go')
  const card = await memory.untilCard(asked)
  const { groups } = memory.world
  groups.set('admins', ['ben'])
  groups.get = () => {
    throw new Error('the platform does not answer')
  }
  const second = { kind: 'question', answer: 'the second' } as const
  const why = 'I couldn’t check whether you may decide this. Try again.'
  expect(await memory.click('ben', card, second)).toEqual({ kind: 'not-allowed', reason: why })
  groups.get = Map.prototype.get
  expect(await memory.click('ben', card, second)).toMatchObject({ kind: 'taken' })
  await memory.untilAnswered(asked, 'Thanks.')
})
