import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Model,
  type ModelChunk,
  ModelFailure,
  type ModelPatience,
  type ModelRequest,
} from '../../src/kit/model/model.ts'
import { askModel } from '../../src/model/ask.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { begunBefore } from '../support/begun-before.ts'
import { asking, patienceWith, recordedListener, recordedPace, slotAt } from '../support/model-client.ts'
import {
  both,
  calls,
  cutAfter,
  empty,
  endless,
  hang,
  type ModelScript,
  type ModelServer,
  says,
  startModelServer,
  status,
  thinks,
} from '../support/model-server.ts'

let server: ModelServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function ask(script: ModelScript, changes: Partial<ModelPatience> = {}, signal = new AbortController().signal) {
  await server?.close()
  server = await startModelServer(script)
  const patience = patienceWith(changes)
  const { seen, retries, listener } = recordedListener()
  const pace = recordedPace()
  const asked = askModel(openaiModel(slotAt(server.url), patience), asking('hi', { signal }), patience, listener, pace)
  const reply = await asked.catch((thrown: unknown) => thrown)
  return { reply, seen, retries, waits: pace.waits, requests: server.requests }
}

/** A model that streams each list in turn, one attempt each. */
function modelOf(...attempts: ModelChunk[][]): Model {
  let attempt = 0
  return {
    name: 'lists',
    practice: false,
    contextLimit: 1,
    outputLimit: 1,
    async *stream() {
      yield* attempts[attempt++] ?? []
    },
  }
}

describe('a whole reply', () => {
  test('is put together from its pieces, and streamed as it comes', async () => {
    const reply = both(thinks('first this', says('Let me look.')), calls('read_file', { path: 'a' }, ['now', {}]))
    const asked = await ask([{ ...reply, usage: { input: 5, output: 2, cached: 1 } }])

    expect(asked.reply).toEqual({
      text: 'Let me look.',
      thought: 'first this',
      thoughtWanted: true,
      calls: [
        { name: 'read_file', arguments: '{"path":"a"}' },
        { name: 'now', arguments: '{}' },
      ],
      finish: 'calls',
      usage: { input: 5, output: 2, cached: 1 },
    })
    expect(asked.seen).toEqual(['thought: first this', 'started', 'Let', ' me', ' look.'])
  })

  test('out of tokens is an answer, also an empty one', async () => {
    expect((await ask([{ ...says('so far'), finish: 'length' }])).reply).toMatchObject({
      text: 'so far',
      finish: 'length',
    })
    const asked = await ask([{ ...empty(), finish: 'length' }])
    expect(asked.reply).toMatchObject({ text: '', finish: 'length' })
    expect(asked.requests).toHaveLength(1)
  })

  test('each listener is awaited before the next piece', async () => {
    const order: string[] = []
    const { listener } = recordedListener()
    const model = modelOf([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'end', finish: 'stop' },
    ])
    const textDelta = async (delta: string) => {
      order.push(`${delta} in`)
      await new Promise(setImmediate)
      order.push(`${delta} out`)
    }
    await askModel(model, asking('hi'), patienceWith(), { ...listener, textDelta }, recordedPace())
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out'])
  })
})

describe('retrying', () => {
  test('goes on until it works, waiting longer each time', async () => {
    const asked = await begunBefore(
      (firstOutputTimeoutMs) => ask([status(500), hang(), status(503), says('ok')], { firstOutputTimeoutMs }),
      // On a busy machine, another attempt may take too long as well.
      ({ reply }) => !(reply instanceof ModelFailure),
    )
    expect(asked.reply).toMatchObject({ text: 'ok' })
    expect(asked.waits).toEqual([100, 200, 400])
    expect(asked.retries).toMatchObject([
      { attempt: 2, waitMs: 100, failure: { code: 'unavailable' } },
      { attempt: 3, waitMs: 200, failure: { code: 'hang' } },
      { attempt: 4, waitMs: 400, failure: { code: 'unavailable' } },
    ])
  })

  test('ends after the last attempt with its failure', async () => {
    const asked = await ask(() => status(500), { attempts: 3 })
    expect(asked.reply).toMatchObject({ name: 'ModelFailure', code: 'unavailable' })
    expect(asked.requests).toHaveLength(3)
  })

  test('waits as long as the provider asks, plus jitter', async () => {
    const asked = await ask([status(429, { retryAfter: 2 }), says('ok')])
    expect(asked.reply).toMatchObject({ text: 'ok' })
    expect(asked.waits).toEqual([2_100])
  })

  test('gives up if the provider asks for too long a wait', async () => {
    const asked = await ask([status(429, { retryAfter: 61 }), says('ok')])
    expect(asked.reply).toMatchObject({ code: 'rate_limited', retryAfterMs: 61_000 })
    expect(asked.waits).toEqual([])
  })

  test.each([
    ['a refusal', status(400)],
    ['endless talk', endless()],
  ])('does not help against %s', async (_, reply) => {
    const asked = await ask(() => reply)
    expect(asked.reply).toMatchObject({ name: 'ModelFailure', retry: false })
    expect(asked.requests).toHaveLength(1)
  })

  test('an empty reply is tried again twice, whatever the patience', async () => {
    const asked = await ask(() => empty(), { attempts: 9 })
    expect(asked.reply).toMatchObject({ code: 'empty' })
    expect(asked.requests).toHaveLength(3)
  })

  test('silence is tried again once, whatever the patience', async () => {
    const asked = await ask(() => hang(), { attempts: 9, firstOutputTimeoutMs: 100 })
    expect(asked.reply).toMatchObject({ code: 'hang', mayHaveCost: true })
    // On a busy machine, a request may be given up before it has arrived.
    expect(asked.requests.length).toBeLessThanOrEqual(2)
    expect(asked.retries).toMatchObject([{ attempt: 2, attempts: 2 }])
  })

  test('an empty reply may be followed by a real one', async () => {
    expect((await ask([says(' \n'), says('ok')])).reply).toMatchObject({ text: 'ok' })
  })

  test('what empty replies took is known, unless another attempt wasn’t counted and may have cost something', async () => {
    const nothing = { ...empty(), usage: { input: 5, output: 2, cached: 1 } }
    const wasted = { input: 10, output: 4, cached: 2 }
    expect((await ask([nothing, nothing, says('ok')])).reply).toMatchObject({ text: 'ok', wasted })
    expect((await ask([nothing, status(503), nothing, status(400)])).reply).toMatchObject({ usage: wasted })
    const { reply } = await ask([nothing, cutAfter(2), nothing, status(400)])
    expect(reply).toMatchObject({ mayHaveCost: true, usage: undefined })
  })
})

describe('a half-received stream', () => {
  test('is not shown twice when the retry says the same', async () => {
    const asked = await ask([cutAfter(2, says('one two three')), says('one two three')])
    expect(asked.seen).toEqual(['started', 'one', ' two', ' three'])
    expect(asked.reply).toMatchObject({ text: 'one two three' })
  })

  test('is discarded where the retry says something else', async () => {
    const asked = await ask([cutAfter(2, says('one two three')), says('one more time')])
    expect(asked.seen).toEqual(['started', 'one', ' two', 'discarded', 'started', 'one more', ' time'])
  })

  test('is discarded when the retry says less', async () => {
    const asked = await ask([cutAfter(2, says('one two three')), says('one')])
    expect(asked.seen).toEqual(['started', 'one', ' two', 'discarded', 'started', 'one'])
  })

  test('is discarded when the retry only calls', async () => {
    const asked = await ask([cutAfter(1, says('one two')), calls('now', {})])
    expect(asked.seen).toEqual(['started', 'one', 'discarded'])
  })

  test('leaves no calls behind', async () => {
    const asked = await ask([cutAfter(2, calls('now', { half: true })), calls('now', {})])
    expect(asked.reply).toMatchObject({ calls: [{ name: 'now', arguments: '{}' }] })
  })

  test('shows a thought once', async () => {
    const cut = cutAfter(4, thinks('same thought', says('one two')))
    const asked = await ask([cut, thinks('same thought', says('one two'))])
    expect(asked.seen).toEqual(['thought: same thought', 'started', 'one', ' two'])
  })

  test('a model without an end was cut', async () => {
    const { seen, retries, listener } = recordedListener()
    const model = modelOf(
      [{ kind: 'text', text: 'so' }],
      [
        { kind: 'text', text: 'so' },
        { kind: 'end', finish: 'stop' },
      ],
    )
    await askModel(model, asking('hi'), patienceWith(), listener, recordedPace())
    expect(retries).toMatchObject([{ failure: { code: 'cut' } }])
    expect(seen).toEqual(['started', 'so'])
  })
})

describe('thoughts', () => {
  /** What is seen of reasoning that comes in these pieces, one each so many milliseconds. */
  async function seenOf(pieces: string[], everyMs: number): Promise<string[]> {
    return (await timesOf(thoughts(pieces), everyMs)).map(({ text }) => text)
  }

  const thoughts = (pieces: string[]) => pieces.map((text): ModelChunk => ({ kind: 'thought', text }))

  /** What is seen, and when. */
  async function timesOf(chunks: ModelChunk[], everyMs: number): Promise<{ at: number; text: string }[]> {
    const seen: { at: number; text: string }[] = []
    const { listener } = recordedListener()
    const model = modelOf([...chunks, { kind: 'text', text: 'ok' }, { kind: 'end', finish: 'stop' }])
    let at = 0
    const thought = (text: string) => void seen.push({ at, text })
    const ticking = {
      ...model,
      async *stream(asked: ModelRequest) {
        for await (const chunk of model.stream(asked)) {
          at += everyMs
          yield chunk
        }
      },
    }
    const patience = patienceWith({ callTimeoutMs: 1_000_000_000 })
    await askModel(ticking, asking('hi'), patience, { ...listener, thought }, { ...recordedPace(), now: () => at })
    return seen
  }

  test('come by whole paragraphs, as many together as a second has', async () => {
    const asked = await ask([thinks('one thing\n\nanother\n\n\nlast', says('ok'))])
    expect(asked.seen.slice(0, 2)).toEqual(['thought: one thing', 'thought: another\n\nlast'])
    expect(asked.reply).toMatchObject({ thought: 'one thing\n\nanother\n\n\nlast' })
    expect(await seenOf(['a\n\n', 'b\n\n', 'c\n\nd', 'e\n\n', 'f'], 500)).toEqual(['a', 'b\n\nc', 'de', 'f'])
  })

  test('come as soon as a paragraph is whole, also where the next one takes long', async () => {
    expect(await timesOf(thoughts(['a\n\n', 'b\n\n', 'c\n\n']), 15_000)).toEqual([
      { at: 15_000, text: 'a' },
      { at: 30_000, text: 'b' },
      { at: 45_000, text: 'c' },
    ])
    const [, second] = await timesOf(thoughts(['a\n\n', 'b\n\n', ...Array(100).fill('c')]), 400)
    expect(second).toEqual({ at: 1_600, text: 'b' })
  })

  test('that are whole are seen before the attempt that is cut is over', async () => {
    const events: string[] = []
    const { listener } = recordedListener()
    const telling = {
      ...listener,
      thought: (text: string) => void events.push(text),
      retrying: () => void events.push('retrying'),
    }
    const model = modelOf(thoughts(['a\n\n', 'b\n\n', 'half']), [
      { kind: 'text', text: 'ok' },
      { kind: 'end', finish: 'stop' },
    ])
    await askModel(model, asking('hi'), patienceWith(), telling, recordedPace())
    expect(events).toEqual(['a', 'b', 'retrying'])
  })

  test.each([
    ['are seen also where the model takes too long', 20, /longer than/, ['thought: a', 'thought: b']],
    ['are left out of a turn that is stopped, where nothing may be written', 60_000, /by ana/, ['thought: a']],
  ])('that are whole %s', async (_, callTimeoutMs, reason, expected) => {
    const stop = new AbortController()
    const { seen, listener } = recordedListener()
    const model = modelOf(thoughts(['a\n\n', 'b\n\n', 'half']))
    const halting = {
      ...model,
      async *stream({ signal }: ModelRequest) {
        yield* model.stream(asking('hi'))
        if (callTimeoutMs > 1_000) stop.abort(new Error('stopped by ana'))
        if (!signal.aborted) await once(signal, 'abort')
        throw signal.reason
      },
    }
    const request = asking('hi', { signal: stop.signal })
    const asked = askModel(halting, request, patienceWith({ callTimeoutMs }), listener, recordedPace())
    await expect(asked).rejects.toThrow(reason)
    expect(seen).toEqual(expected)
  })

  test('are few pieces, however long and however slowly a model counts', async () => {
    const counted = Array.from({ length: 100_000 }, (_, at) => `${at}\n\n`)
    const interrupted = thoughts(counted).flatMap((one): ModelChunk[] => [one, { kind: 'text', text: '.' }])
    const seen = [await seenOf(counted, 1), await seenOf(counted, 10_000)]
    seen.push((await timesOf(interrupted, 10_000)).map(({ text }) => text))
    for (const pieces of seen) {
      expect(pieces.length).toBeLessThan(400)
      expect(pieces.join('\n\n')).toBe(counted.join('').trim())
    }
  })
})

describe('stopping', () => {
  const reason = new Error('stopped by ana')

  test('between two attempts', async () => {
    const stop = new AbortController()
    const { listener } = recordedListener()
    server = await startModelServer(() => status(500))
    const model = openaiModel(slotAt(server.url), patienceWith())
    const asked = askModel(
      model,
      asking('hi', { signal: stop.signal }),
      patienceWith({ baseDelayMs: 3_600_000, maxDelayMs: 3_600_000, callTimeoutMs: 36_000_000 }),
      { ...listener, retrying: () => void setImmediate(() => stop.abort(reason)) },
    )
    await expect(asked).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  })

  test('in the middle of an attempt, without another', async () => {
    const stop = new AbortController()
    const script = () => {
      stop.abort(reason)
      return hang()
    }
    const asked = await ask(script, {}, stop.signal)
    expect(asked.reply).toBe(reason)
    expect(asked.requests).toHaveLength(1)
  })

  test('before the first attempt', async () => {
    const asked = await ask([says('ok')], {}, AbortSignal.abort(reason))
    expect(asked.reply).toBe(reason)
    expect(asked.requests).toHaveLength(0)
  })
})
