import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import { changesOf, changingTurns } from '../../src/store/changes.ts'
import { acquire } from '../../src/store/hold-session.ts'
import { createTurn, setTurnState } from '../../src/store/turns.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { compare, mostFiles, recordChanges } from '../../src/turn/state/workspace-changes.ts'
import { workspacesIn } from '../../src/workspace/workspaces.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, says, status } from '../support/model-server.ts'
import { ana, newSession, openStore, scratch } from '../support/store.ts'

interface Changed {
  turn_id: string
  person: { id: string }
  changes: { path: string; change: string; size: number }[]
}

const turnsOf = async (bot: TestBot, conversation: string) =>
  (await bot.chat.get<{ turns: Changed[] }>(`/agent/conversations/${conversation}/files`)).turns

const told = (turns: Changed[]) =>
  turns.map(({ person, changes }) => [person.id, ...changes.map(({ path, change }) => `${change} ${path}`)])

const write = (path: string, content: string) => calls('write_file', { path, content })

test('what each turn did to the folder is stored with it, uploads with the turn that read them', async () => {
  const bot = await startTestBot({
    script: [
      write('outputs/a.md', 'one'),
      says('Written.'),
      says('Nothing to do.'),
      write('outputs/a.md', 'one and two'),
      write('temp/b.txt', 'b'),
      write('temp/b.txt', 'b and more'),
      says('Changed.'),
      says('Gone.'),
    ],
  })
  const { conversation, events } = await bot.chat.say('write', { user: 'ana', files: { 'in.csv': 'a,b\n' } })
  const first = [['ana', 'added outputs/a.md', 'added uploads/in.csv']]
  expect(told(await turnsOf(bot, conversation))).toEqual(first)
  expect((await turnsOf(bot, conversation))[0]?.turn_id).toBe(ofType(events, 'start')[0]?.data.turn_id)

  await bot.chat.say('and now?', { user: 'ana', conversation })
  expect(told(await turnsOf(bot, conversation))).toEqual(first)

  await bot.restart()
  await bot.chat.say('change', { user: 'ben', conversation })
  const second = ['ben', 'changed outputs/a.md', 'added temp/b.txt']
  expect(told(await turnsOf(bot, conversation))).toEqual([second, ...first])
  await rm(join(bot.dataDir, 'workspace', conversation, 'temp/b.txt'))
  await bot.chat.say('look', { user: 'cem', conversation })
  expect(told(await turnsOf(bot, conversation))).toEqual([['cem', 'removed temp/b.txt'], second, ...first])
})

test('a turn that waits has its changes before anyone answers', async () => {
  const bot = await startTestBot({
    script: [write('outputs/a.md', 'one'), calls('ask_human', { question: 'Which one?' }), says('Good.')],
  })
  const { conversation, events } = await bot.chat.say('write and ask', { user: 'ana' })
  expect(events.at(-1)?.type).toBe('waiting')
  expect(told(await turnsOf(bot, conversation))).toEqual([['ana', 'added outputs/a.md']])
})

test('a turn that fails, and one that is stopped, keep what they did', async () => {
  const refused = status(400, { message: 'no' })
  const bot = await startTestBot({
    script: [write('outputs/a.md', 'a'), refused, write('outputs/b.md', 'b'), hang(), says('Here.')],
  })
  const { conversation } = await bot.chat.say('write', { user: 'ana' })
  expect(told(await turnsOf(bot, conversation))).toEqual([['ana', 'added outputs/a.md']])

  const asked = bot.chat.say('write more', { user: 'ben', conversation })
  await expect.poll(() => bot.model.requests.length).toBe(4)
  await bot.chat.post(`/agent/conversations/${conversation}/stop`, { user_id: 'ben' })
  await asked
  await bot.chat.say('still there?', { user: 'cem', conversation })
  expect(told(await turnsOf(bot, conversation))).toEqual([
    ['ben', 'added outputs/b.md'],
    ['ana', 'added outputs/a.md'],
  ])
})

test.each([
  ['ends', [says('Written.')]],
  ['waits', [calls('ask_human', { question: 'Which one?' })]],
])('an outage when a turn %s keeps none of its changes from being its own', async (_, then) => {
  let met = 0
  const mayCall: Capability['mayCall'] = (_tool, { workspace }) => {
    const { walk } = workspace
    workspace.walk = async function* (...about) {
      if (met++ === 0) throw new Failure('busy', 'Too many files are open.', 'Wait.')
      yield* walk(...about)
    }
  }
  const script = [write('outputs/a.md', 'a'), ...then]
  const bot = await startTestBot({ plugins: [{ name: 'meeting', mayCall }], script })
  const { conversation } = await bot.chat.say('write', { user: 'ana' })
  expect(met).toBeGreaterThan(1)
  expect(told(await turnsOf(bot, conversation))).toEqual([['ana', 'added outputs/a.md']])
})

describe('a record', () => {
  async function ground() {
    const store = await openStore()
    const session = await newSession(store)
    const workspace = await workspacesIn(await scratch(), () => {}).open(session)
    const { lease } = await store.transaction((tx) => acquire(tx, session.id, 'test'))
    // Over at once, since a session has one open turn.
    const turn = (seq: number) =>
      store.transaction(async (tx) => {
        const made = await createTurn(tx, session.id, seq, { person: ana, timeZone: 'UTC' })
        await setTurnState(tx, made.id, 'done')
        return made
      })
    const failures: unknown[] = []
    const deps = { store, lease, workspace, report: (thrown: unknown) => void failures.push(thrown) }
    const count = async () => (await changingTurns(store.db, session.id)).reduce((sum, { changes }) => sum + changes, 0)
    return { store, session, workspace, lease, turn, deps, failures, count }
  }

  test('of a process that has lost the session are not written, and fail nothing', async () => {
    const { store, session, workspace, turn, deps, failures, count } = await ground()
    const { id } = await turn(1)
    await workspace.write('outputs/a.md', 'a')
    await store.transaction((tx) => acquire(tx, session.id, 'another'))
    await recordChanges(id, deps)
    expect(await count()).toBe(0)
    expect(failures).toEqual([])
  })

  test('that cannot be made is reported, and fails nothing', async () => {
    const { workspace, turn, deps, failures, count } = await ground()
    const { id } = await turn(1)
    await rm(join(workspace.root, 'temp'), { recursive: true })
    await recordChanges(id, deps)
    expect(failures).toHaveLength(1)
    expect(await count()).toBe(0)
  })

  test('of one turn is one row a file, whatever it did to it', async () => {
    const { store, session, workspace, turn, deps, count } = await ground()
    const { id } = await turn(1)
    const shown = async () =>
      (await changesOf(store.db, session.id, id, 100)).map(({ path, change, size }) => `${change} ${path} ${size}`)
    await workspace.write('temp/a', '1')
    await workspace.write('temp/b', '1')
    await recordChanges(id, deps)
    await workspace.write('temp/a', '12')
    await rm(join(workspace.root, 'temp/b'))
    await recordChanges(id, deps)
    expect(await shown()).toEqual(['added temp/a 2'])
    await rm(join(workspace.root, 'temp/a'))
    await recordChanges(id, deps)
    expect(await count()).toBe(0)
  })

  test('of a change that keeps the size is made by its time', async () => {
    const { store, session, workspace, turn, deps } = await ground()
    const [first, second] = [await turn(1), await turn(2)]
    await workspace.write('temp/a', '1')
    await recordChanges(first.id, deps)
    await utimes(join(workspace.root, 'temp/a'), 1_000, 1_000)
    await recordChanges(second.id, deps)
    expect(await changesOf(store.db, session.id, second.id, 9)).toMatchObject([{ path: 'temp/a', change: 'changed' }])
  })

  test('of more files than are compared says nothing of the rest', async () => {
    const { workspace, turn, deps, count } = await ground()
    const [first, second] = [await turn(1), await turn(2)]
    const many = join(workspace.root, 'temp/many')
    await mkdir(many)
    const names = Array.from({ length: mostFiles + 20 }, (_, number) => join(many, `${number}`.padStart(6, '0')))
    for (const name of names) await writeFile(name, '')
    await recordChanges(first.id, deps)
    expect(await count()).toBe(mostFiles)
    await workspace.write('uploads/first.txt', 'x')
    await recordChanges(second.id, deps)
    expect(await count()).toBe(mostFiles + 1)
  })
})

test('of a file whose path has become too long to be stored nobody can say that it was removed', () => {
  const added = (path: string) => ({ path, size: 1, modifiedAt: 1, turn: 'turn_1', at: 1, change: 'added' }) as const
  const known = new Map(['x'.repeat(2_100), 'x'].map((path) => [path, added(path)]))
  const { changes } = compare('turn_2', known, { files: [], whole: true })
  expect(changes).toMatchObject([{ path: 'x', change: 'removed' }])
})

test('names of files are only names', () => {
  const file = { path: '__proto__', size: 1, modifiedAt: 1 }
  const { changes } = compare('turn_1', new Map(), { files: [file], whole: true })
  expect(changes).toEqual([{ ...file, change: 'added' }])
})
