import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Standing } from '../../src/platforms/slack/api/token-standing.ts'
import { eventually } from './support.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

test('Slack isn’t asked again whether the token holds before it has answered', async () => {
  const answer = Promise.withResolvers<void>()
  let asked = 0
  const standing = new Standing(silent, () => {})
  onTestFinished(() => standing.stop())
  standing.watch(() => {
    asked += 1
    return answer.promise
  }, 1)
  await sleep(50)
  expect(asked).toBe(1)
  answer.resolve()
  await eventually(() => expect(asked).toBeGreaterThan(1))
})
