import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { enterHome } from '../../src/cli/home.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { openPlace } from '../support/bot-process.ts'
import { scratch } from '../support/store.ts'
import { eventually } from '../support/until.ts'

const installed = '/usr/lib/node_modules/bobbin'

async function projectWith(name: string, text: string | Buffer): Promise<{ top: string; below: string }> {
  const top = await scratch()
  const below = join(top, 'some/where')
  await mkdir(below, { recursive: true })
  await mkdir(dirname(join(top, name)), { recursive: true })
  await writeFile(join(top, name), text)
  return { top, below }
}

describe('a command run in a folder of a project', () => {
  test.each([
    ['.env', 'SLACK_BOT_TOKEN=xoxb-1\n'],
    ['config/bobbin.yaml', ''],
    ['data/bobbin.db', ''],
    ['package.json', '{"name": "bobbin"}'],
  ])('finds it by its %s', async (name, text) => {
    const { top, below } = await projectWith(name, text)
    const home = enterHome({ environment: {}, workingDir: below, program: installed })
    expect(home).toMatchObject({ dir: top, why: 'found above this folder', dataDir: join(top, 'data') })
  })

  test('reads its .env, whose relative paths begin there', async () => {
    const { top, below } = await projectWith('.env', 'BOBBIN_DATA_DIR=stored\nBOBBIN_PORT=1\n')
    const environment = { BOBBIN_PORT: '2' }
    const home = enterHome({ environment, workingDir: below, program: installed })
    expect(home).toMatchObject({ envFile: join(top, '.env'), dataDir: join(top, 'stored') })
    expect(environment).toMatchObject({ BOBBIN_PORT: '2', BOBBIN_DATA_DIR: join(top, 'stored') })
  })

  test.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFBOBBIN_PORT=1\r\nBOBBIN_HOST=::1\r\n')],
    ['UTF-16', Buffer.from('\uFEFFBOBBIN_PORT=1\r\nBOBBIN_HOST=::1\r\n', 'utf16le')],
  ])('reads a .env that an editor on Windows saved as %s', async (_, bytes) => {
    const { below } = await projectWith('.env', bytes)
    const environment = {}
    enterHome({ environment, workingDir: below, program: installed })
    expect(environment).toMatchObject({ BOBBIN_PORT: '1', BOBBIN_HOST: '::1' })
  })

  test('takes relative paths that were set outside from the folder where it runs', async () => {
    const { below } = await projectWith('.env', 'BOBBIN_PORT=1\n')
    const environment = { BOBBIN_DATA_DIR: 'mine' }
    expect(enterHome({ environment, workingDir: below, program: installed }).dataDir).toBe(join(below, 'mine'))
  })

  test('does not mistake another project for its own', async () => {
    const { top, below } = await projectWith('.env', 'PORT=1\n')
    const environment = { HOME: top }
    const home = enterHome({ environment, workingDir: below, program: installed })
    expect(home).toMatchObject({ dataDir: join(top, '.local/share/bobbin'), envFile: undefined })
  })

  // Only root can give a file to somebody else.
  test.skipIf(process.getuid?.() !== 0)('does not trust what another user left in a folder above', async () => {
    const { top, below } = await projectWith('.env', 'BOBBIN_PORT=1\n')
    await chown(join(top, '.env'), 65_534, 65_534)
    const environment = { HOME: join(top, 'home') }
    expect(enterHome({ environment, workingDir: below, program: installed }).envFile).toBeUndefined()
  })
})

describe('without a project', () => {
  test('an installed program uses the usual folders of the system, and gives the team a config folder', async () => {
    const top = await scratch()
    const environment = { XDG_CONFIG_HOME: join(top, 'c'), XDG_DATA_HOME: join(top, 'd') }
    const home = enterHome({ environment, workingDir: top, program: installed })
    expect(home).toMatchObject({ configDir: join(top, 'c/bobbin'), dataDir: join(top, 'd/bobbin') })
    expect(existsSync(home.configDir)).toBe(true)
  })

  test('a program that is not installed uses its own folder', async () => {
    const workingDir = await scratch()
    const program = dirname(shippedConfigDir)
    expect(enterHome({ environment: {}, workingDir })).toMatchObject({ dir: program, configDir: shippedConfigDir })
  })

  test('BOBBIN_HOME comes before everything else', async () => {
    const { top, below } = await projectWith('.env', 'BOBBIN_PORT=1\n')
    const environment = { BOBBIN_HOME: 'own' }
    const home = enterHome({ environment, workingDir: top, program: below })
    expect(home).toMatchObject({ dir: join(top, 'own'), why: 'set by BOBBIN_HOME', dataDir: join(top, 'own/data') })
  })
})

test('a start says where its settings and its data are, and whether these are new', async () => {
  const place = await openPlace()
  const first = await place.start()
  await eventually(() => expect(first.said()).toMatch(/^Data: \S+ \(new\)$/m))
  expect(first.said()).toMatch(/^Home: \S+ \(set by BOBBIN_HOME\)\nSettings: no \.env in \S+, \S+$/m)
  first.signal('SIGTERM')
  await first.ended
  const second = await place.start()
  await eventually(() => expect(second.said()).toMatch(/^Data: \S+$/m))
})

const mayMount = spawnSync('unshare', ['-rm', 'sh', '-c', ': <>/dev/fuse']).status === 0

test.skipIf(!mayMount)(
  'a data directory that does not answer ends the start in a sentence (needs /dev/fuse)',
  async () => {
    const hangs = 'exec 4<>/dev/fuse; mount -i -t fuse -o fd=4,rootmode=40000,user_id=0,group_id=0 x "$0" && exec "$@"'
    const share = await scratch()
    await chmod(share, 0o755)
    const place = await openPlace({ environment: { BOBBIN_DATA_DIR: share } })
    const life = place.launch(['unshare', '-rm', 'sh', '-c', hangs, share])
    expect(await life.ended).toBe(1)
    expect(life.said().trim()).toMatch(/^The data directory \S+ doesn’t answer\. Check the disk [^\n]+\.$/)
  },
)
