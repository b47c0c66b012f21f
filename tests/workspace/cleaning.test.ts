import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanKind, cleanWorkspaces } from '../../src/inbound/clean.ts'
import { folders } from '../../src/workspace/paths.ts'
import { removeWorkspace, type WhileIdle } from '../../src/workspace/remove.ts'
import { type Workspaces, workspacesIn } from '../../src/workspace/workspaces.ts'
import { newSession, openStore, scratch } from '../support/store.ts'

const why = { at: Date.UTC(2026, 10, 14, 12), days: 7 }
const idle: WhileIdle = (work) => work().then(() => true)
const busy: WhileIdle = async () => false
const rethrow = (thrown: unknown) => {
  throw thrown
}

async function start() {
  const directory = await scratch()
  const session = await newSession(await openStore())
  return { directory, session, root: join(directory, session.id), workspaces: workspacesIn(directory, rethrow) }
}

test('a removed workspace leaves only the record of its removal', async () => {
  const { workspaces, session, root } = await start()
  await (await workspaces.open(session)).write('uploads/a.txt', 'hello')
  expect(await workspaces.remove(session, idle, why)).toEqual({ bytes: 5, files: 1 })
  expect(await readdir(root)).toEqual(['.metadata.json'])
  expect(await workspaces.cleaned(session)).toEqual({ bytes: 5, files: 1, ...why })
  // There is nothing more to remove, and neither use nor the removal of empty folders loses that fact.
  expect(await workspaces.remove(session, idle, why)).toBeUndefined()
  await workspaces.open(session)
  expect(await workspaces.remove(session, idle, { ...why, at: 5 })).toEqual({ bytes: 0, files: 0 })
  expect(await workspaces.cleaned(session)).toMatchObject({ at: why.at })
})

test('one that another process has removed is not reported as damaged', async () => {
  const { directory, workspaces, session } = await start()
  await (await workspaces.open(session)).write('uploads/a.txt', 'hello')
  await workspacesIn(directory, rethrow).remove(session, idle, why)
  expect((await workspaces.open(session)).takeMended()).toEqual([])
  expect(await workspaces.cleaned(session)).toMatchObject(why)
})

test('nor is one that it has removed because it held no files', async () => {
  const { directory, workspaces, session } = await start()
  await workspaces.open(session)
  // Waits until its metadata is written, too.
  await workspaces.cleaned(session)
  await workspacesIn(directory, rethrow).remove(session, idle, why)
  expect((await workspaces.open(session)).takeMended()).toEqual([])
})

test('but one whose folders a command has removed, all of them, is', async () => {
  const { workspaces, session, root } = await start()
  await (await workspaces.open(session)).write('uploads/a.txt', 'hello')
  for (const name of folders) await rm(join(root, name), { recursive: true })
  const said = 'skills/, uploads/, outputs/, and temp/ were missing, so I created them again, empty.'
  expect((await workspaces.open(session)).takeMended()).toEqual([said])
})

test('a workspace that is needed after all stays as it is', async () => {
  const { workspaces, session, root } = await start()
  await (await workspaces.open(session)).write('temp/a', 'hello')
  expect(await workspaces.remove(session, busy, why)).toBeUndefined()
  expect(await readFile(join(root, 'temp/a'), 'utf8')).toBe('hello')
  const fails = workspaces.remove(session, () => Promise.reject(new Error('no store')), why)
  await expect(fails).rejects.toThrow('no store')
  expect(await readFile(join(root, 'temp/a'), 'utf8')).toBe('hello')
  expect(await workspaces.cleaned(session)).toBeUndefined()
})

test('opening it during a check gives it whole or empty', async () => {
  const { workspaces, session } = await start()
  await (await workspaces.open(session)).write('temp/a', 'hello')
  let opening: ReturnType<typeof workspaces.open> | undefined
  const check: WhileIdle = async () => {
    opening = workspaces.open(session)
    return false
  }
  await workspaces.remove(session, check, why)
  expect(await (await opening)?.read('temp/a')).toEqual(Buffer.from('hello'))
})

test('work that is done twice, as a transaction may do it, removes once', async () => {
  const { workspaces, session } = await start()
  await (await workspaces.open(session)).write('temp/a', 'hello')
  const twice: WhileIdle = async (work) => {
    await work()
    await work()
    return true
  }
  expect(await workspaces.remove(session, twice, why)).toEqual({ bytes: 5, files: 1 })
  expect(await workspaces.cleaned(session)).toMatchObject(why)
})

const undone: [string, WhileIdle][] = [
  ['the next time somebody needs it', (work) => work().then(() => false)],
  ['it fails', (work) => work().then(() => Promise.reject(new Error('the server has undone it')))],
]

test.each(undone)('a workspace comes back if the check that removed it was undone and %s', async (_, whileIdle) => {
  const { directory, workspaces, session, root } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  expect(await workspaces.remove(session, whileIdle, why).catch(() => undefined)).toBeUndefined()
  await workspaces.sweep()
  expect(await readFile(join(root, 'uploads/a'), 'utf8')).toBe('hello')
  expect(await readdir(directory)).toEqual([session.id])
  expect(await workspaces.cleaned(session)).toBeUndefined()
})

test('a workspace comes back even if the process is killed meanwhile', async () => {
  const { directory, workspaces, session, root } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  const { signal } = spawnSync(process.execPath, [join(import.meta.dirname, 'killed-moving-back.js'), root])
  expect(signal).toBe('SIGKILL')
  await workspaces.sweep()
  expect(await readFile(join(root, 'uploads/a'), 'utf8')).toBe('hello')
  expect(await readdir(directory)).toEqual([session.id])
})

test('if another process takes it for what a crash left and removes it, the record of that stays', async () => {
  const { directory, workspaces, session } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  const other = workspacesIn(directory, rethrow)
  await workspaces.remove(
    session,
    (work) =>
      work()
        .then(other.sweep)
        .then(() => false),
    why,
  )
  expect(await readdir(directory)).toEqual([session.id])
  expect(await workspaces.cleaned(session)).toEqual({ bytes: 5, files: 1, ...why })
})

test('what was in it is kept if another process has begun to use it meanwhile, until the thread is deleted', async () => {
  const { directory, session, root } = await start()
  const reported: unknown[] = []
  const workspaces = workspacesIn(directory, (thrown) => reported.push(thrown))
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  const other = workspacesIn(directory, rethrow)
  await other.sweep()
  const removed = await workspaces.remove(
    session,
    async (work) => {
      await work()
      await (await other.open(session)).write('uploads/b', 'new')
      return false
    },
    why,
  )
  expect(removed).toBeUndefined()
  await workspaces.sweep()
  const [kept, ...others] = (await readdir(directory)).sort()
  expect(others).toEqual([session.id])
  expect(reported).toMatchObject([{ code: 'workspace_kept', message: expect.stringContaining(`${kept}`) }])
  expect((await readdir(root)).sort()).toEqual(['.metadata.json', 'outputs', 'skills', 'temp', 'uploads'])
  expect(await readFile(join(directory, `${kept}`, 'uploads/a'), 'utf8')).toBe('hello')
  expect(await readFile(join(root, 'uploads/b'), 'utf8')).toBe('new')
  await workspaces.delete(session)
  expect(await readdir(directory)).toEqual([])
})

test('it comes back if that process has only opened it', async () => {
  const { directory, workspaces, session, root } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  const other = workspacesIn(directory, rethrow)
  await other.sweep()
  const opens: WhileIdle = async (work) => {
    await work()
    await other.open(session)
    // Waits until its metadata is written, too.
    await other.cleaned(session)
    return false
  }
  expect(await workspaces.remove(session, opens, why)).toBeUndefined()
  expect(await readFile(join(root, 'uploads/a'), 'utf8')).toBe('hello')
  expect(await readdir(directory)).toEqual([session.id])
})

test('a removal that can’t be recorded fails with the reason for that, even if nothing can come back', async () => {
  const { directory, session, root, workspaces } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  const full = async () => {
    await mkdir(root)
    await writeFile(join(root, 'note'), 'of somebody at the disk')
    throw new Error('no space left')
  }
  const reported: unknown[] = []
  const removal = removeWorkspace(root, idle, full, (thrown) => reported.push(thrown))
  await expect(removal).rejects.toThrow('no space left')
  expect(reported).toMatchObject([{ code: 'workspace_kept' }])
  expect(await readdir(directory)).toHaveLength(2)
})

test('a workspace whose removal can’t be recorded stays', async () => {
  const { directory, session, root, workspaces } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  const full = () => mkdir(root).then(() => Promise.reject(new Error('no space left')))
  await expect(removeWorkspace(root, idle, full, rethrow)).rejects.toThrow('no space left')
  expect(await readdir(directory)).toEqual([session.id])
  expect(await readFile(join(root, 'uploads/a'), 'utf8')).toBe('hello')
})

test('after a crash, an unfinished removal is completed, and files that were only moved come back', async () => {
  const { directory, session, root, workspaces } = await start()
  const aside = join(directory, `.removed-${session.id}-0123456789ab`)
  await mkdir(join(aside, 'uploads'), { recursive: true })
  await writeFile(join(aside, 'uploads/a'), 'hello')
  expect(await (await workspaces.open(session)).read('uploads/a')).toEqual(Buffer.from('hello'))

  await mkdir(aside)
  await mkdir(join(root, '.removed-temp-0123456789ab'))
  await writeFile(join(directory, '.removed-other'), 'not ours')
  await workspaces.sweep()
  expect((await readdir(directory)).sort()).toEqual(['.removed-other', session.id].sort())
  // In a workspace, it is removed when the workspace is opened.
  await workspacesIn(directory, rethrow).open(session)
  expect(await readdir(root)).not.toContain('.removed-temp-0123456789ab')
})

test('after a crash, what was to be deleted does not come back', async () => {
  const { directory, session, root, workspaces } = await start()
  await (await workspaces.open(session)).write('uploads/a', 'hello')
  await rename(root, join(directory, `.deleted-${session.id}-0123456789ab`))
  await workspaces.sweep()
  expect(await readdir(directory)).toEqual([])
})

test.each([
  '{',
  '[]',
  '{"cleaned": 5}',
  '{"cleaned": {"at": 1e300, "files": 1, "bytes": 1, "days": 1}}',
  'x'.repeat(70_000),
])('what stands in the metadata is not believed: %#', async (text) => {
  const { session, root, workspaces } = await start()
  await mkdir(root)
  await writeFile(join(root, '.metadata.json'), text)
  expect(await workspaces.cleaned(session)).toBeUndefined()
})

test('opening it during its removal creates nothing in its place', async () => {
  for (let round = 0; round < 5; round++) {
    const { directory, session } = await start()
    // A process that hasn't opened it yet.
    await (await workspacesIn(directory, rethrow).open(session)).write('uploads/a.txt', 'hello')
    const workspaces = workspacesIn(directory, rethrow)
    await workspaces.sweep()
    const removal = workspaces.remove(
      session,
      (work) => {
        void workspaces.open(session)
        return idle(work)
      },
      why,
    )
    const [removed] = await Promise.all([removal, workspaces.open(session)])
    expect(removed).toEqual({ bytes: 5, files: 1 })
    await workspaces.open(session)
    expect(await workspaces.cleaned(session)).toMatchObject(why)
  }
})

/** A month later, and one of two workspaces can't be removed. */
async function startBroken() {
  const [directory, store] = [await scratch(), await openStore()]
  const [broken, other] = [await newSession(store, 'a'), await newSession(store, 'b')]
  const whole = workspacesIn(directory, rethrow)
  for (const session of [broken, other]) await (await whole.open(session)).write('uploads/a', 'hello')
  // Tests may run as root, who can remove everything.
  const workspaces: Workspaces = {
    ...whole,
    sweep: () => Promise.reject(new Error('what a crash left stays')),
    remove: (session, ...how) =>
      session.id === broken.id ? Promise.reject(new Error('it stays')) : whole.remove(session, ...how),
  }
  const now = Date.now() + 30 * 86_400_000
  const deps = { store, clock: { now: () => now }, workspaces, idleWorkspaceDays: 7 }
  return { deps, now, broken: join(directory, broken.id), other: join(directory, other.id) }
}

test('if one workspace can’t be removed, the others still are', async () => {
  const { deps, broken, other } = await startBroken()
  await expect(cleanWorkspaces(deps)).rejects.toThrow('a crash left')
  expect(await readdir(other)).toEqual(['.metadata.json'])
  expect(await readdir(join(broken, 'uploads'))).toEqual(['a'])
})

test('and the next hour tries again, not the next second', async () => {
  const { deps, now } = await startBroken()
  const reported: unknown[] = []
  const report = (thrown: unknown) => reported.push(thrown)
  const keep = { eventDays: 1, postingDays: 1, changeDays: 1, ignoredDays: 1 }
  const job = { checkpoint: undefined, save: async () => {} }
  const ended = await cleanKind({ ...deps, ...keep, report }).run(job as never)
  expect(ended).toEqual({ again: now + 3_600_000 })
  expect(reported).toMatchObject([{ message: 'what a crash left stays' }])
})
