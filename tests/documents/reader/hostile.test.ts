import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import type { Containment } from '../../../src/kit/sandbox/containment.ts'
import { withoutSandbox } from '../../support/sandbox.ts'
import { eventually } from '../../support/until.ts'
import { scratch } from '../index/library.ts'
import { hostilePool, told } from './support.ts'

// A document that has got hold of its reader: by whatever it does, it loses that reader, and nobody else notices.

const containments = [
  ...(withoutSandbox ? [] : [{ name: 'in bubblewrap', isInside: true, containment: openContainment() }]),
  { name: 'as a plain process', isInside: false, containment: openContainment({ bwrap: false }) },
]

const memory = { code: 'too_complex', message: 'It is too large to be read safely: reading it took too much memory.' }

test('memory that can’t be told for a moment is looked at again', async () => {
  const real = openContainment({ bwrap: false })
  const answers = [() => Promise.reject(new Error('EMFILE: too many open files')), async () => Number.POSITIVE_INFINITY]
  const containment: Containment = {
    ...real,
    start: async (program) => ({
      ...(await real.start(program)),
      residentBytes: () => (answers.shift() ?? (async () => 0))(),
    }),
  }
  const pool = hostilePool(containment)
  await expect(told(pool, 'wait')).rejects.toMatchObject(memory)
})

describe.each(containments)('$name', ({ isInside, containment }) => {
  test('it is the containment that was meant', async () => {
    expect((await containment.facts()).kind).toBe(isInside ? 'bubblewrap' : 'process')
  })

  test.each(['buffers', 'one buffer', 'objects', 'texts'])('memory without end, as %s', async (deed) => {
    const pool = hostilePool(containment)
    await expect(told(pool, deed)).rejects.toMatchObject(memory)
    expect(await told(pool, 'the next')).toBe('the next')
  })

  test.each([
    ['abort', /SIG(ABRT|TRAP|ILL)/],
    ['exit', /ended with 0/],
    ['kill', /SIGKILL/],
  ])('its end, as %s', async (deed, says) => {
    const pool = hostilePool(containment)
    const reading = told(pool, deed)
    const waiting = told(pool, 'one that waits')
    await expect(reading).rejects.toMatchObject({ code: 'crashed', message: expect.stringMatching(says) })
    expect(await waiting).toBe('one that waits')
    expect(pool.size).toBe(1)
  })

  test.each(['loop', 'loop and print', 'wait'])('time without end, as %s', async (deed) => {
    const pool = hostilePool(containment, { timeoutMs: 1500 })
    const why = { code: 'too_complex', message: expect.stringContaining('took more than 1.5 s') }
    await expect(told(pool, deed)).rejects.toMatchObject(why)
    // On a busy machine, that may take longer, too.
    expect(await eventually(() => told(pool, 'the next'))).toBe('the next')
  })

  test('a stop ends it at once', async () => {
    const pool = hostilePool(containment)
    const stop = new AbortController()
    await told(pool, 'first')
    const reading = told(pool, 'loop', '', stop.signal)
    await setImmediate()
    stop.abort(new DOMException('stopped', 'AbortError'))
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(pool.size).toBe(0)
  })

  test('it reaches no file, no program, no network, no environment', async () => {
    const file = join(await scratch(), 'secret.txt')
    await writeFile(file, 'secret')
    let calls = 0
    const server = createServer(() => calls++).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const pool = hostilePool(containment)
    const reached = JSON.parse(await told(pool, `reach: ${port} ${file}`))
    expect(reached).toMatchObject({
      file: 'ERR_ACCESS_DENIED',
      folder: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      program: 'ERR_ACCESS_DENIED',
      code: expect.stringContaining('Code generation'),
    })
    const ofShells = ['PWD', 'SHLVL', '_', 'OLDPWD']
    const ours = reached.environment.filter((name: string) => !ofShells.includes(name))
    expect(ours).toEqual(isInside ? ['NODE_COMPILE_CACHE'] : [])
    // A reader that met a document must not leave anything for the next.
    if (isInside) expect([reached.compiled, reached.inCompiled]).toEqual(['EROFS', 'EROFS'])
    // Without bubblewrap nothing keeps a process from the network: docs/security.md says so.
    expect([reached.network === 'done', calls]).toEqual(isInside ? [false, 0] : [true, 1])
  })
})

describe('an answer that is none', () => {
  const pool = hostilePool(openContainment(), {}, afterAll)

  test.each([
    ...['garbage', 'no JSON', 'a huge frame', 'bytes beside it', 'no batch', 'more fields', 'a kind of its own'],
    ...[
      'a code of its own',
      'a page',
      'a text of no part',
      'a chunk of no part',
      'a vocabulary without lines',
      'no end',
    ],
  ])('%s', async (deed) => {
    const why = { code: 'crashed', message: 'It cannot be read safely: its reader sent nonsense.' }
    await expect(told(pool, deed)).rejects.toMatchObject(why)
    expect(await told(pool, 'the next')).toBe('the next')
  })
})

test('half an answer', async () => {
  const pool = hostilePool(openContainment())
  await expect(told(pool, 'half a frame')).rejects.toMatchObject({ code: 'crashed' })
})
