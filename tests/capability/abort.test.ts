import { expect, test } from 'vitest'
import { unlessAborted } from '../../src/kit/abort.ts'

test('what answers at once needs no waiting, and what was aborted before is not asked', async () => {
  const stop = new AbortController()
  expect(await unlessAborted(stop.signal, () => 'now')).toBe('now')

  stop.abort(new Error('stopped'))
  let isAsked = false
  const asked = unlessAborted(stop.signal, () => {
    isAsked = true
  })
  await expect(asked).rejects.toThrow('stopped')
  expect(isAsked).toBe(false)
})

test('work that never answers is left when it is aborted, even by its own first step', async () => {
  const later = new AbortController()
  const waiting = unlessAborted(later.signal, () => new Promise<never>(() => {}))
  later.abort(new Error('stopped later'))
  await expect(waiting).rejects.toThrow('stopped later')

  const itself = new AbortController()
  const asked = unlessAborted(itself.signal, () => {
    itself.abort(new Error('stopped by itself'))
    return new Promise<never>(() => {})
  })
  await expect(asked).rejects.toThrow('stopped by itself')
})
