import { expect, test } from 'vitest'
import { changeSkill, dropSkills, loadedSkills, loadSkills, skillHistory, teamSkills } from '../../src/store/skills.ts'
import { ana, newSession, openStore } from '../support/store.ts'

test('what a channel has is the latest version of each scope, and nothing is overwritten', async () => {
  const store = await openStore()
  const team = { platform: 'slack', tenant: 'T1', project: '' }
  const channel = { ...team, project: 'C1' }
  const change = (scope: typeof team, name: string, state: 'on' | 'off' | 'removed', hash: string) =>
    store.transaction((tx) => changeSkill(tx, scope, { name, state, hash, by: ana }))
  expect(await change(team, 'notes', 'on', 'a')).toBe(1)
  expect(await change(team, 'notes', 'on', 'b')).toBe(2)
  expect(await change(channel, 'notes', 'off', 'b')).toBe(1)
  await change(channel, 'gone', 'on', 'c')
  await change(channel, 'gone', 'removed', '')
  const rows = (await teamSkills(store.db, channel)).map(({ name, project, version, state, hash }) => [
    ...[name, project, version, state, hash],
  ])
  expect(rows).toEqual([
    ['notes', '', 2, 'on', 'b'],
    ['notes', 'C1', 1, 'off', 'b'],
  ])
  expect(await teamSkills(store.db, { ...channel, tenant: 'T2' })).toEqual([])
  expect((await skillHistory(store.db, team, 'notes')).map(({ version, by }) => [version, by.name])).toEqual([
    [2, ana.name],
    [1, ana.name],
  ])
})

test('a thread loads each skill once, in order, and no more than it may', async () => {
  const store = await openStore()
  const { id } = await newSession(store)
  const load = (names: string[]) => store.transaction((tx) => loadSkills(tx, id, names, 3))
  expect(await load(['pdf', 'xlsx', 'pdf'])).toEqual(['pdf', 'xlsx'])
  expect(await load(['xlsx', 'docx', 'pptx'])).toEqual(['docx'])
  expect(await loadedSkills(store.db, id)).toEqual(['pdf', 'xlsx', 'docx'])
  await store.transaction((tx) => dropSkills(tx, id))
  expect(await load(['pptx'])).toEqual(['pptx'])
  expect(await loadedSkills(store.db, id)).toEqual(['pptx'])
})
