import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CompiledReaders } from '../../../src/kit/documents/compiled.ts'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import { allProcesses, descendants, startOf } from '../../../src/kit/sandbox/processes.ts'
import { withoutSandbox } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'
import { scratch, testLibrary } from '../index/library.ts'
import { hostilePool, told } from './support.ts'

// How readers come and go.

const containments = [
  ...(withoutSandbox ? [] : [{ name: 'in bubblewrap', mode: 'inside', containment: openContainment() }]),
  { name: 'as a plain process', mode: 'plain', containment: openContainment({ bwrap: false }) },
]

const below = () => descendants(process.pid, allProcesses()).map(({ id }) => id)
/** Of those that were started since. */
const startedSince = (before: number[]) => below().filter((id) => !before.includes(id))
const { signal } = new AbortController()
const isGone = (id: number) => startOf(id) === undefined

// What compiles for readers, as a first pool does in a new checkout, is a process too.
beforeAll(async () => {
  const compiled = new CompiledReaders(openContainment(), getCompileCacheDir())
  compiled.get()
  await compiled.settled()
})

describe.each(containments)('$name', ({ mode, containment }) => {
  test('it stays for the next document of the same thread, and goes before one of another', async () => {
    const pool = hostilePool(containment, { idleMs: 1_000_000 })
    const before = below()
    await told(pool, 'first', 'ana')
    const readers = startedSince(before)
    expect(await told(pool, 'second', 'ana')).toBe('second')
    expect(startedSince(before)).toEqual(readers)
    expect(await told(pool, 'third', 'ben')).toBe('third')
    expect(startedSince(before).filter((id) => readers.includes(id))).toEqual([])
    expect(pool.size).toBe(1)
  })

  test('it ends when there is no work, and when the pool is stopped', async () => {
    const before = below()
    const pool = hostilePool(containment, { idleMs: 1 })
    await told(pool, 'first')
    await until('the end of the idle reader', () => pool.size === 0)
    await until('its processes to end', () => startedSince(before).length === 0)
    const other = hostilePool(containment)
    await told(other, 'first')
    await other.stop()
    await until('its processes to end', () => startedSince(before).length === 0)
  })

  test('one that is stopped while it starts leaves nothing behind', async () => {
    const before = below()
    for (let afterMs = 0; afterMs < 12; afterMs++) {
      const pool = hostilePool(containment)
      const stop = new AbortController()
      const reading = told(pool, 'wait', '', stop.signal)
      reading.catch(() => {})
      await setTimeout(afterMs)
      stop.abort(new DOMException('stopped', 'AbortError'))
      await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
      expect(pool.size).toBe(0)
    }
    await until('its processes to end', () => startedSince(before).length === 0)
  })

  test('one that is killed from outside is replaced', async () => {
    const pool = hostilePool(containment)
    const before = below()
    const reader = () => programOf(startedSince(before))
    const stop = new AbortController()
    await told(pool, 'first')
    const idle = await until('the idle reader', reader)
    process.kill(idle, 'SIGKILL')
    expect(await told(pool, 'second')).toBe('second')
    const reading = told(pool, 'wait', '', stop.signal)
    reading.catch(() => {})
    const working = await until('the working reader', reader)
    process.kill(working, 'SIGKILL')
    await until('a second attempt', () => ![undefined, idle, working].includes(reader()))
    stop.abort(new DOMException('stopped', 'AbortError'))
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(await told(pool, 'third')).toBe('third')
  })

  test('a document that kills every reader is given up, and the reason is kept', async () => {
    const { room } = await testLibrary(await scratch(), { pool: hostilePool(containment) })
    const one = await room('ses_one')
    await one.workspace.write('uploads/a.csv', 'kill')
    const why = { code: 'crashed', message: expect.stringContaining('SIGKILL') }
    await expect(one.open('uploads/a.csv', { signal })).rejects.toMatchObject(why)
    const before = below()
    await expect(one.open('uploads/a.csv', { signal })).rejects.toMatchObject(why)
    expect(startedSince(before)).toEqual([])
  })

  test.each(['kill', 'wait'])('what it has sent is taken before anybody hears of its end: %s', async (deed) => {
    const pool = hostilePool(containment)
    const before = below()
    const stop = new AbortController()
    const log: string[] = []
    const into = {
      begin: async () => void log.push('begins'),
      async take() {
        log.push('takes')
        if (deed === 'wait') stop.abort(new DOMException('stopped', 'AbortError'))
        await until('its processes to end', () => startedSince(before).length === 0)
        // Whoever hears of that does so before this.
        for (let turns = 0; turns < 50; turns++) await setImmediate()
        log.push('taken')
      },
    }
    const file = { name: 'a.csv', bytes: Buffer.from(`a portion: ${deed}`) }
    await expect(pool.read(file, stop.signal, { into }).finally(() => log.push('over'))).rejects.toThrow()
    const attempt = ['begins', 'takes', 'taken']
    expect(log).toEqual(deed === 'kill' ? [...attempt, ...attempt, 'over'] : [...attempt, 'over'])
  })

  test('a bot that is killed leaves none behind, however busy it is', async () => {
    const file = fileURLToPath(new URL('./bot.ts', import.meta.url))
    const bot = spawn(process.execPath, [file, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void bot.kill('SIGKILL'))
    await once(bot.stdout, 'data')
    const readers = descendants(bot.pid ?? 0, allProcesses()).map(({ id }) => id)
    expect(readers.length).toBeGreaterThan(0)
    bot.kill('SIGKILL')
    await until('the readers to end', () => readers.every(isGone))
  })
})

/** Which of them is the reader itself: bubblewrap's two come before it, and the process that watches for the bot after. */
function programOf(ids: number[]): number | undefined {
  const all = allProcesses()
  return ids.find((id) => (all.get(id)?.threads ?? 0) > 4)
}
