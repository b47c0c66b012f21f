import { mkdir, open, readdir, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { envFileFindings } from '../../src/cli/env-file.ts'
import { dataFindings, listensAt, spaceFinding } from '../../src/doctor/data.ts'
import { fits, machineFindings, packageFaults } from '../../src/doctor/machine.ts'
import { modelFindings } from '../../src/doctor/model.ts'
import { report } from '../../src/doctor/report.ts'
import { broken, type Finding, fine, mind } from '../../src/domain/finding.ts'
import { systemClock } from '../../src/kit/clock.ts'
import type { Model } from '../../src/kit/model/model.ts'
import { practiceModel } from '../../src/kit/practice/practice-model.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { Store } from '../../src/store/store.ts'
import { startTestBot } from '../support/bot.ts'
import { type ModelScript, says, startModelServer, status } from '../support/model-server.ts'
import { emptyDirectory, read } from './support.ts'

test('without .env.example, names in .env aren’t judged, and its lines still are', async () => {
  const home = await emptyDirectory()
  await writeFile(join(home, '.env'), 'BOBBIN_PROT=3000\nBOBBIN_PORT 3000\n')
  const facts = envFileFindings(join(home, '.env'), ['BOBBIN_PORT'], join(home, '.env.example'))
  expect(facts.map(({ fact }) => fact)).toEqual(['Line 2 of .env sets nothing.'])
})

describe('the report', () => {
  async function* found(...findings: Finding[]) {
    yield* findings
  }
  async function written(findings: Finding[], secrets: string[] = []) {
    let text = ''
    const isBroken = await report([{ title: 'Part', findings: found(...findings) }], secrets, (more) => {
      text += more
    })
    return { text, isBroken }
  }

  test('has a line for each finding, and below it what to do', async () => {
    const { text, isBroken } = await written([
      fine('A works.'),
      mind('B is odd.'),
      broken('C is gone.', 'Do D.', 'Or E.'),
    ])
    expect(text).toBe(
      'Part\n  ✓ A works.\n  ! B is odd.\n  ✗ C is gone.\n      Do D.\n      Or E.\n\n1 broken (✗), 1 warning (!).\n',
    )
    expect(isBroken).toBe(true)
  })

  test('ends with a summary', async () => {
    expect(await written([fine('A.')])).toMatchObject({
      isBroken: false,
      text: expect.stringMatching(/Everything is fine\.\n$/),
    })
    expect(await written([mind('A.')])).toMatchObject({
      isBroken: false,
      text: expect.stringContaining('No errors'),
    })
  })

  test('shows no secret, and continues when a check itself fails', async () => {
    const { text } = await written([broken('xoxb-1 is wrong.', 'Replace xoxb-1.')], ['xoxb-1', ''])
    expect(text).toContain('✗ *** is wrong.\n      Replace ***.')
    async function* failing(): AsyncGenerator<Finding> {
      yield fine('So far.')
      throw new Error('no luck')
    }
    expect(await read(failing())).toEqual([
      '✓ So far.',
      '✗ This check itself failed: no luck.',
      '    Report it as a bug.',
    ])
  })
})

describe('this machine', () => {
  test('has the right Node and all packages', async () => {
    const lines = await read(machineFindings())
    expect(lines[0]).toContain(`✓ Bobbin 0.1.0 runs on Node ${process.versions.node}`)
    expect(lines[1]).toMatch(/^✓ Packages .*@slack\/bolt \d+\.\d+.*discord\.js \d+/)
    expect(lines).toHaveLength(2)
  })

  test('needs no Node of its own where the one that runs is new enough', () => {
    const wanted = { node: '^24.21.0', pg: '^8.0.0' }
    expect(packageFaults(wanted, new Map([['pg', '8.1.0']]), true)).toEqual([])
    expect(packageFaults(wanted, new Map([['pg', '7.1.0']]), false)).toEqual([
      'node is missing',
      'pg is 7.1.0, but ^8.0.0 is needed',
    ])
  })

  test.each([
    ['5.1.0', '^5.1.0', true],
    ['5.9.3', '^5.1.0', true],
    ['5.0.9', '^5.1.0', false],
    ['6.0.0', '^5.1.0', false],
    ['0.29.9', '^0.29.1', true],
    ['0.30.0', '^0.29.1', false],
    ['0.0.4', '^0.0.3', false],
    ['2.5.15', '2.5.15', true],
    ['2.5.16', '2.5.15', false],
    ['2.0.0-beta.2', '^2.0.0', true],
  ])('%s for %s: %s', (version, wanted, expected) => {
    expect(fits(version, wanted)).toBe(expected)
  })
})

describe('the data', () => {
  const place = (dataDir: string) => ({ dataDir, database: join(dataDir, 'bobbin.db'), silentMs: 600_000 })
  const space = expect.stringMatching(/GB are free there\.$/)

  test('may not exist yet, and the check leaves nothing behind', async () => {
    const dataDir = join(await emptyDirectory(), 'not', 'yet')
    expect(await read(dataFindings(place(dataDir)))).toEqual([
      `✓ The data directory ${dataDir} will be created at the first start.`,
      space,
      '✓ There is no database yet. The first start creates it.',
    ])
  })

  test('show whether the bot is running', async () => {
    const bot = await startTestBot()
    const own = place(bot.dataDir)
    expect(await read(dataFindings(own))).toEqual([
      `✓ The data directory ${bot.dataDir} can be written.`,
      space,
      '✓ The database is sound and holds 0 sessions.',
      `✓ A bot runs on it now (process ${process.pid} on ${hostname()}).`,
    ])
    const port = Number(new URL(bot.chat.url).port)
    expect([await listensAt(port, own), await listensAt(1, own)]).toEqual([true, false])
    // A URL leaves this one out.
    new Sqlite(own.database).exec("update locks set url = 'http://127.0.0.1:80'").close()
    expect([await listensAt(80, own), await listensAt(port, own)]).toEqual([true, false])
    // One of another machine may listen there at the same port.
    new Sqlite(own.database).exec("update locks set url = null, host = 'elsewhere'").close()
    expect(await listensAt(port, own)).toBe(false)
    new Sqlite(own.database).exec(`update locks set host = '${hostname()}'`).close()
    await bot.chat.say('hello')
    await bot.stop()
    expect((await read(dataFindings(own))).slice(-2)).toEqual([
      '✓ The database is sound and holds 1 session.',
      '✓ No bot runs on it now.',
    ])
    expect(await listensAt(port, own)).toBe(false)
  })

  test('may still be in databases that the bot doesn’t use, which stay untouched', async () => {
    const dataDir = await emptyDirectory()
    const [file, aside] = ['bobbin.db', 'bobbin.db.moved-2026-11-23T101500'].map((name) => join(dataDir, name))
    const about = async (database = 'postgres://127.0.0.1:1/bobbin') =>
      (await read(dataFindings({ ...place(dataDir), database }))).filter((line) =>
        line.includes('even if it is deleted'),
      )
    expect(await about()).toEqual([])

    const store = await Store.open(file ?? '', systemClock)
    await store.close()
    const names = await readdir(dataDir)
    const unused =
      `! This bot doesn’t use ${file}, because DATABASE_URL names another database. ` +
      'What it holds stays, even if it is deleted now.'
    expect(await about()).toEqual([unused])
    expect(await readdir(dataDir)).toEqual(names)
    expect(await about(file)).toEqual([])

    await writeFile(file ?? '', 'damaged')
    for (const name of [`${aside}`, `${aside}-wal`]) await writeFile(name, '')
    const left = `! A move left ${aside}, where everything said until then stays, even if it is deleted now.`
    expect(await about()).toEqual([unused, left])
    expect(await about(file)).toEqual([left])
  })

  test('in a place that isn’t writable are reported with the reason', async () => {
    const file = join(await emptyDirectory(), 'file')
    await writeFile(file, 'in the way')
    const lines = await read(dataFindings(place(join(file, 'data'))))
    expect(lines[0]).toBe(`✗ The data directory ${join(file, 'data')} can’t be written: ${file} is a file.`)
    expect(lines[1]).toContain('BOBBIN_DATA_DIR')
  })

  test('may be on other disks, by links: each is looked at', async () => {
    const [dataDir, disk] = [await emptyDirectory(), await emptyDirectory()]
    await mkdir(join(dataDir, 'mcp'))
    await writeFile(join(disk, 'file'), '')
    await symlink(disk, join(dataDir, 'workspace'))
    await symlink(join(disk, 'gone'), join(dataDir, 'incoming'))
    await symlink(join(disk, 'file'), join(dataDir, 'skills'))
    await symlink(join(disk, 'gone'), join(dataDir, 'not-ours'))
    expect((await read(dataFindings(place(dataDir)))).slice(1, -1)).toEqual([
      space,
      expect.stringMatching(`✗ ${dataDir}/incoming is a link that leads nowhere: ENOENT`),
      expect.stringContaining('Connect the disk'),
      `✗ ${dataDir}/skills leads to ${disk}/file, which can’t be written: it is a file.`,
      expect.stringContaining('Make it a folder'),
      space,
      `✓ ${dataDir}/workspace leads to ${disk}, which can be written.`,
      space,
    ])
  })

  test('that are no database, or a damaged one, are reported with how to recover', async () => {
    const own = place(await emptyDirectory())
    await writeFile(own.database, 'this is a letter, not a database; '.repeat(200))
    expect((await read(dataFindings(own))).slice(2)).toEqual([
      `✗ The database ${own.database} can’t be read: file is not a database.`,
      expect.stringContaining('restore bobbin.db from a backup'),
    ])
    expect(await listensAt(1, own)).toBe(false)

    const other = place(await emptyDirectory())
    const store = await Store.open(other.database, systemClock)
    await store.close()
    const database = new Sqlite(other.database, { readonly: true })
    const page = database.prepare("select rootpage from sqlite_master where name = 'audit'").pluck().get()
    const pageBytes = Number(database.pragma('page_size', { simple: true }))
    database.close()
    const handle = await open(other.database, 'r+')
    // Overwrites the cells of a page that is in use, and keeps its type byte.
    await handle.write(Buffer.alloc(64, 0xa5), 0, 64, (Number(page) - 1) * pageBytes + 3)
    await handle.close()
    const lines = await read(dataFindings(other))
    expect(lines[2]).toContain(`✗ The database ${other.database} is damaged: `)
    expect(lines[3]).toContain('backup')
  })

  test('need free disk space', () => {
    const gigabyte = 1024 ** 3
    expect(spaceFinding(50 * gigabyte)).toEqual(fine('50.0 GB are free there.'))
    expect(spaceFinding(gigabyte)).toMatchObject({ mark: 'mind', fact: 'Only 1.0 GB are free there.' })
    expect(spaceFinding(gigabyte / 10)).toMatchObject({
      mark: 'broken',
      remedy: [expect.stringContaining('BOBBIN_DATA_DIR')],
    })
  })
})

describe('the model', () => {
  const patience = {
    attempts: 1,
    baseDelayMs: 10,
    maxDelayMs: 50,
    maxRetryAfterMs: 1_000,
    firstOutputTimeoutMs: 60_000,
    idleTimeoutMs: 60_000,
    totalTimeoutMs: 60_000,
    callTimeoutMs: 60_000,
    turnTimeoutMs: 60_000,
  }
  async function modelWith(
    script: ModelScript,
    options: { key?: string; gone?: boolean; silentMs?: number } = {},
  ): Promise<Model> {
    const server = await startModelServer(script, { key: 'sk-right' })
    if (options.gone) await server.close()
    else onTestFinished(() => server.close())
    const slot = {
      apiKey: options.key ?? 'sk-right',
      baseUrl: server.url,
      id: 'gpt-test',
      contextLimit: 1_000,
      outputLimit: 100,
      temperature: 0,
      price: undefined,
    }
    return openaiModel(slot, { ...patience, firstOutputTimeoutMs: options.silentMs ?? patience.firstOutputTimeoutMs })
  }

  test('works', async () => {
    expect(await read(modelFindings(await modelWith([says('ready')]), 'base'))).toEqual([
      '✓ The model gpt-test answers.',
    ])
  })

  test.each([
    ['a wrong key', [], { key: 'sk-wrong' }, 'refused the key: check MODEL_BASE_API_KEY'],
    ['no key', [], { key: '' }, 'needs a key: set MODEL_BASE_API_KEY'],
    ['an unknown model', [status(404, { message: 'no such model' })], {}, 'There is no model gpt-test'],
    ['a place where nobody listens', [], { gone: true }, 'can’t be reached (ECONNREFUSED)'],
    ['silence', [{ hangAfter: 0, text: 'never' }], { silentMs: 300 }, 'sent nothing for 0.3 s'],
  ])('%s is told in words, without the key', async (_, script, options, words) => {
    const lines = await read(modelFindings(await modelWith(script, options), 'base'))
    expect(lines[0]).toMatch(/^✗ The model gpt-test doesn’t answer\. /)
    expect(lines[0]).toContain(words)
    expect(lines.join()).not.toContain('sk-')
    expect(lines[1]).toContain('MODEL_BASE_ID')
  })

  test('that is slow is said to have had only so much time', async () => {
    const slow = await modelWith([{ hangAfter: 0, text: 'never' }])
    expect((await read(modelFindings(slow, 'base', 300)))[0]).toBe(
      '✗ The model gpt-test doesn’t answer. I waited only 0.3 s; a slower one may still work.',
    )
  })

  test.each([
    ['base', '✗', []],
    ['vision', '!', [expect.stringContaining('it can only describe them for a model that somebody chose with `use`')]],
  ] as const)('that takes no tools as %s is told so, and not to be silent', async (slot, mark, more) => {
    const model = await modelWith(({ tools }) =>
      tools ? status(400, { message: 'gpt-test does not support tools' }) : says('ready'),
    )
    const [first, ...rest] = await read(modelFindings(model, slot))
    expect(first).toMatch(
      new RegExp(`^${mark} The model gpt-test at \\S+ takes no tools.*: choose another model in MODEL_BASE_ID`),
    )
    expect(rest).toEqual(more)
  })

  test('that is the practice model is reported as such', async () => {
    expect(await read(modelFindings(practiceModel(), 'base'))).toEqual([
      '! The practice model answers. It needs no account and follows a few fixed rules.',
      expect.stringContaining('MODEL_BASE_API_KEY'),
    ])
  })
})
