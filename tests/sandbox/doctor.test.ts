import { expect, test } from 'vitest'
import { sandboxFindings } from '../../src/capabilities/commands/checks.ts'
import { readerFindings } from '../../src/capabilities/documents/checks.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import type { SandboxFacts } from '../../src/kit/sandbox/port.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { sandbox } from './support/box.ts'

test('doctor says that commands run, what holds and what does not', async () => {
  const { version, gaps } = await sandbox.facts()
  const found = await Array.fromAsync(sandboxFindings(sandbox))
  expect(found.map(({ mark }) => mark)).toEqual(['fine', 'fine', 'mind'])
  expect(found[0]?.fact).toBe(`Commands and scripts run in bubblewrap ${version}.`)
  expect(found[2]?.remedy).toEqual(gaps.map((gap) => `${gap}.`))
})

test('doctor reports limits that are enforced in different ways, and a missing Python', async () => {
  const facts: SandboxFacts = { ...(await sandbox.facts()), memory: 'cgroup', processes: 'watcher' }
  const without = { ...facts, programs: { ...facts.programs, python: undefined } }
  const found = await Array.fromAsync(sandboxFindings({ facts: async () => without }))
  expect(found[1]?.fact).toBe(
    'Memory is limited by a control group, processes by a watcher that checks several times a second.',
  )
  expect(found[2]?.fact).toBe('There is no Python for scripts.')
})

test('doctor says how to get a sandbox', async () => {
  const [found, ...rest] = await Array.fromAsync(sandboxFindings(openSandbox({ bwrap: '/nowhere/bwrap' })))
  expect(rest).toEqual([])
  expect(found?.mark).toBe('broken')
  expect(found?.fact).toBe('There is no /nowhere/bwrap on this machine. Commands and scripts are refused.')
  expect(found?.remedy[0]).toContain('apt install bubblewrap')
})

test('doctor says how reading documents is contained, and when none can be read', async () => {
  const read = async () => {}
  const found = async (bwrap: string, readOne: () => Promise<void> = read) =>
    Array.fromAsync(readerFindings(openContainment({ bwrap }), readOne))
  expect(await found('bwrap')).toMatchObject([{ mark: 'fine', fact: expect.stringContaining('inside bubblewrap') }])
  const [without] = await found('/nowhere/bwrap')
  expect(without).toMatchObject({ mark: 'mind', fact: expect.stringContaining('without bubblewrap') })
  expect(without?.remedy.join(' ')).toContain('apt install bubblewrap')
  const [none] = await found('bwrap', () => Promise.reject(new Error('It did not start.')))
  expect(none).toMatchObject({ mark: 'broken', fact: 'No document can be read: It did not start.' })
})
