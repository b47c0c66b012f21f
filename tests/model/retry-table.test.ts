import { expect, onTestFinished, test } from 'vitest'
import { ModelFailure } from '../../src/kit/model/model.ts'
import { askModel } from '../../src/model/ask.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { codeOf, fates } from '../../src/model/retry-table.ts'
import { asking, patienceWith, recordedListener, recordedPace, slotAt } from '../support/model-client.ts'
import { hang, startModelServer, status } from '../support/model-server.ts'

test.each([
  [400, undefined, 'refused', false],
  [401, undefined, 'refused', false],
  [402, undefined, 'refused', false],
  [403, undefined, 'refused', false],
  [404, undefined, 'refused', false],
  [408, undefined, 'unavailable', true],
  [409, undefined, 'unavailable', true],
  [413, undefined, 'refused', false],
  [422, undefined, 'refused', false],
  [425, undefined, 'unavailable', true],
  [429, undefined, 'rate_limited', true],
  [429, 'insufficient_quota', 'refused', false],
  [500, undefined, 'unavailable', true],
  [502, null, 'unavailable', true],
  [529, undefined, 'unavailable', true],
] as const)('status %i (%s) is %s; another attempt: %s', (code, word, expected, retry) => {
  expect(codeOf(code, word)).toBe(expected)
  expect(fates[codeOf(code, word)].retry).toBe(retry)
})

async function asked(script: Parameters<typeof startModelServer>[0], changes: Parameters<typeof patienceWith>[0]) {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const patience = patienceWith(changes)
  const model = openaiModel(slotAt(server.url), patience)
  const pace = recordedPace()
  const failure = await askModel(model, asking('hi'), patience, recordedListener().listener, pace).catch(
    (thrown) => thrown,
  )
  return { failure, requests: server.requests.length, waits: pace.waits }
}

test('a wait that ends after the deadline of the request is not begun', async () => {
  const { failure, requests, waits } = await asked(() => status(429, { retryAfter: 30 }), { callTimeoutMs: 20_000 })
  expect(failure).toMatchObject({ code: 'rate_limited' })
  expect([requests, waits]).toEqual([1, []])
})

test('the deadline of the request ends an attempt under way, and there is no other', async () => {
  const { failure, requests } = await asked(() => hang(), { callTimeoutMs: 300 })
  expect(failure).toBeInstanceOf(ModelFailure)
  expect(failure).toMatchObject({ code: 'hang', retry: false })
  // On a busy machine, it may end before the request has arrived.
  expect(requests).toBeLessThanOrEqual(1)
})
