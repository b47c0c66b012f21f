import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { eventStream } from '../../src/api/event-stream.ts'
import type { ToldEvent } from '../../src/domain/events.ts'

const closing = new AbortController().signal

const eventsOf = (next: () => Promise<IteratorResult<ToldEvent>>): AsyncIterable<ToldEvent> => ({
  [Symbol.asyncIterator]: () => ({ next }),
})

test('a HEAD request for a stream opens none, since nobody would read or close it', async () => {
  let opened = 0
  const open = () => {
    opened += 1
    return eventsOf(() => Promise.resolve({ done: true, value: undefined }))
  }
  const app = new Hono().get('/', (context) => eventStream(context, { closing, report: () => {} }, open))
  const head = await app.request('/', { method: 'HEAD' })
  expect(head.headers.get('content-type')).toBe('text/event-stream')
  await (await app.request('/')).text()
  expect(opened).toBe(1)
})

test('an error that ends a stream is reported like any other, and not printed as it is', async () => {
  const lost = new Error('the database is away')
  const reported: unknown[] = []
  const report = (thrown: unknown) => void reported.push(thrown)
  const open = () => eventsOf(() => Promise.reject(lost))
  const app = new Hono().get('/', (context) => eventStream(context, { closing, report }, open))
  expect(await (await app.request('/')).text()).toBe(': \n\n')
  expect(reported).toEqual([lost])
})
