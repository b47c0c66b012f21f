import { expect, test } from 'vitest'
import type { Alarms } from '../../src/capabilities/alarms/session-alarms.ts'
import { mostAlarms } from '../../src/kit/calendar/alarm-times.ts'
import { bench } from './support.ts'

test('a call that runs again after a crash says when the alarm that it has set rings, even if it is the last one', async () => {
  const dueAt = Date.parse('2026-03-10T12:00Z')
  const pending = Array.from({ length: mostAlarms }, (_, number) => ({
    ...{ id: `alarm_${number}` as const, message: 'look', dueAt, timeZone: 'UTC' },
  }))
  const alarms = (own: Alarms['own']): Alarms => ({
    own,
    list: async () => pending,
    set: () => Promise.reject(new Error('it is set already')),
    cancel: async () => false,
  })
  const input = { at: 'in 1 hour', message: 'look' }
  const again = await bench({}, { alarms: alarms('alarm_0'), attempt: 2 })
  expect(await again.run('alarm_set', input)).toMatch(/^Alarm alarm_0 is set for .*13:00/)
  const other = await bench({}, { alarms: alarms('alarm_x') })
  await expect(other.run('alarm_set', input)).rejects.toMatchObject({ code: 'too_many_alarms' })
})
