import { expect, test } from 'vitest'
import { z } from 'zod'
import { builtinTools } from '../../src/wiring/capabilities.ts'
import { bench } from './support.ts'

test('now tells the time of the asker', async () => {
  const { run } = await bench()
  expect(await run('now', {})).toBe(
    'Tuesday 2026-03-10 12:30:15 (Europe/Berlin, UTC+01:00)\nISO: 2026-03-10T12:30:15+01:00\nUTC: 2026-03-10T11:30:15Z',
  )
})

test('todos: a default priority, counts, and only one at a time', async () => {
  const { run, todos } = await bench()
  expect(await run('todo_read', {})).toBe('There are no todos.')
  const list = [
    { content: 'look', status: 'completed', priority: 'high' },
    { content: 'think', status: 'in_progress' },
    { content: 'write', status: 'pending' },
  ]
  expect(await run('todo_write', { todos: list })).toBe('3 todos: 1 pending, 1 in_progress, 1 completed.')
  expect(await run('todo_read', {})).toBe(
    '1. [completed, high] look\n2. [in_progress, medium] think\n3. [pending, medium] write',
  )
  const two = list.map((todo) => ({ ...todo, status: 'in_progress' }))
  await expect(run('todo_write', { todos: two })).rejects.toMatchObject({ code: 'bad_todos' })
  expect(todos).toHaveLength(3)
  await expect(run('todo_write', { todos: [{ content: 'x', status: 'open' }] })).rejects.toThrow(z.ZodError)
})

test('an alarm is set at a time or by cron, told in local time, listed and cancelled', async () => {
  const { run, alarms } = await bench()
  expect(await run('alarm_list', {})).toBe('There are no alarms.')
  expect(await run('alarm_set', { cron: '0 9 * * mon-fri', message: 'stand-up' })).toBe(
    'Alarm alarm_1 is set for Wednesday 2026-03-11 09:00:00 (Europe/Berlin, UTC+01:00), then again by "0 9 * * mon-fri".',
  )
  await run('alarm_set', { at: 'in 2 hours', message: 'look' })
  expect(alarms[1]).toMatchObject({
    message: 'look',
    dueAt: Date.parse('2026-03-10T13:30:15Z'),
    timeZone: 'Europe/Berlin',
  })
  expect(alarms[1]).not.toHaveProperty('cron')
  expect((await run('alarm_list', {})).split('\n').map((line) => line.split('  ')[0])).toEqual(['alarm_2', 'alarm_1'])
  expect(await run('alarm_cancel', { alarm_id: 'alarm_2' })).toBe('Alarm alarm_2 is cancelled.')
  await expect(run('alarm_cancel', { alarm_id: 'alarm_2' })).rejects.toMatchObject({ code: 'not_found' })
})

test('an alarm needs one time, to come, and rests between its runs', async () => {
  const { run, alarms } = await bench()
  const set = (times: object) => run('alarm_set', { message: 'x', ...times })
  await expect(set({})).rejects.toThrow('Give exactly one of at and cron')
  await expect(set({ at: 'in 1 hour', cron: '0 9 * * *' })).rejects.toThrow('Give exactly one of at and cron')
  await expect(set({ at: '2026-03-10T12:29' })).rejects.toThrow('has passed: it is Tuesday 2026-03-10 12:30:15')
  expect(await set({ at: '2026-03-10T12:30' })).toContain('is set')
  alarms.length = 0
  await expect(set({ cron: '*/10 * * * * *' })).rejects.toMatchObject({ code: 'bad_cron' })
  expect(alarms).toEqual([])
})

test('cancelling again after a crash is no error', async () => {
  const { run } = await bench({}, { attempt: 2 })
  expect(await run('alarm_cancel', { alarm_id: 'alarm_9' })).toContain('is cancelled')
})

test('every tool says what it does, takes nothing it does not know, and can be told to a model', () => {
  for (const tool of builtinTools) {
    const schema = z.toJSONSchema(tool.input, { io: 'input' })
    expect(schema, tool.name).toMatchObject({ type: 'object' })
    // A question that is asked beats one that is refused for a word too many.
    if (tool.kind !== 'ask') expect(schema, tool.name).toMatchObject({ additionalProperties: false })
    for (const [word, property] of Object.entries(schema.properties ?? {})) {
      expect(property, `${tool.name}.${word}`).toHaveProperty('description')
    }
    expect(tool.input.safeParse({ unknown: 1 }).success, tool.name).toBe(false)
    expect(tool.description.length, tool.name).toBeLessThan(500)
  }
  const repeatable = builtinTools.filter((tool) => !tool.repeatable).map(({ name }) => name)
  expect(repeatable).toEqual(expect.arrayContaining(['edit_file', 'multi_edit']))
  expect(builtinTools.filter(({ effect }) => effect === 'write').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['write_file', 'edit_file', 'multi_edit', 'todo_write', 'alarm_set', 'alarm_cancel']),
  )
})
