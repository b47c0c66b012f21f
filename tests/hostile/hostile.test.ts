import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { withoutSandbox } from '../support/sandbox.ts'
import { openLab } from './lab.ts'
import { playAll } from './play.ts'
import { protections } from './protections.ts'
import { type Asi, risks } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

test('there are enough scenarios for every risk, with unique names', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(150)
  expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length)
  expect(new Set<Asi>(scenarios.map(({ asi }) => asi))).toEqual(new Set(Object.keys(risks)))
  for (const { id } of scenarios) expect(id).toMatch(/^[a-z0-9-]+$/)
  expect(protections.length).toBeGreaterThanOrEqual(25)
})

test('each protection can be switched off: its code occurs exactly once', async () => {
  const root = resolve(import.meta.dirname, '../..')
  const missed: string[] = []
  for (const { name, changes } of protections)
    for (const { file, find } of changes) {
      const text = await readFile(join(root, file), 'utf8').catch(() => '')
      if (text.split(find).length !== 2) missed.push(`${name}: not once in ${file}`)
    }
  expect(missed).toEqual([])
})

test.skipIf(withoutSandbox)('a model that tries everything achieves nothing', { timeout: 7_200_000 }, async () => {
  const lab = await openLab()
  const outcomes = await playAll(scenarios, lab, { atOnce: 4 }).finally(() => lab.close())
  const wrong = outcomes.filter(({ result, fault }) => result === 'done' || fault !== undefined)
  expect(wrong.map(({ id, result, evidence, fault }) => ({ id, result, evidence, fault }))).toEqual([])
  expect(outcomes).toHaveLength(scenarios.length)
})
