import { expect, test } from 'vitest'
import { Shared } from '../../../src/capabilities/documents/index/shared.ts'

/** Work of which a test decides when it ends, and that hears when nobody wants it any more. */
function work() {
  const shared = new Shared<string>()
  const begun: { signal: AbortSignal; end: PromiseWithResolvers<string> }[] = []
  const want = (signal: AbortSignal) =>
    shared.do('a', signal, (ending) => {
      const end = Promise.withResolvers<string>()
      begun.push({ signal: ending, end })
      return end.promise
    })
  return { shared, begun, want }
}

const signal = new AbortController().signal

test('the first who wanted it may leave: it is done once, for who stays', async () => {
  const { shared, begun, want } = work()
  const leaving = new AbortController()
  const gone = want(leaving.signal)
  const stays = want(signal)
  leaving.abort(new Error('stopped'))
  await expect(gone).rejects.toThrow('stopped')
  expect(begun[0]?.signal.aborted).toBe(false)
  begun[0]?.end.resolve('done')
  expect(await stays).toBe('done')
  expect(begun).toHaveLength(1)
  expect(shared.size).toBe(0)
})

test('it ends early when nobody waits for it, and who comes then begins once it has ended', async () => {
  const { begun, want } = work()
  const leaving = new AbortController()
  const gone = want(leaving.signal)
  leaving.abort(new Error('stopped'))
  await expect(gone).rejects.toThrow('stopped')
  expect(begun[0]?.signal.aborted).toBe(true)
  const late = want(signal)
  expect(begun).toHaveLength(1)
  begun[0]?.end.reject(new Error('ended early'))
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end.resolve('done')
  expect(await late).toBe('done')
})
