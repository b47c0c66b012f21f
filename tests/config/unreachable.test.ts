import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enterHome } from '../../src/cli/home.ts'
import { loadConfig } from '../../src/config/load.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { scratch } from '../support/store.ts'

const installed = '/usr/lib/node_modules/bobbin'

/** As somebody whom permissions bind, which they don't root. */
function asAnyone<T>(work: () => T): T {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

const load = (BOBBIN_CONFIG_DIR: string) => loadConfig({ BOBBIN_CONFIG_DIR }, '/', builtinSections)

/** Who isn’t root could not remove it so. */
async function closed(path: string, mode: number): Promise<void> {
  await chmod(path, mode)
  onTestFinished(() => chmod(path, 0o755))
}

/** A config directory that everybody can get to, with a rule of the team. */
async function directory(): Promise<string> {
  const home = await scratch()
  await chmod(home, 0o755)
  await mkdir(join(home, 'config'))
  await writeFile(join(home, 'config/hitl_rules.yaml'), 'defaults:\n  write: deny\n')
  return join(home, 'config')
}

describe('a team’s settings do not fall away silently', () => {
  test('when a file is a link to nothing, or to itself', async () => {
    const config = await directory()
    await symlink('/nowhere/bobbin.yaml', join(config, 'bobbin.yaml'))
    await symlink('budgets.yaml', join(config, 'budgets.yaml'))
    expect(load(config)).toMatchObject({
      complaints: [
        { file: join(config, 'bobbin.yaml'), message: expect.stringContaining('ENOENT') },
        { file: join(config, 'budgets.yaml'), message: expect.stringContaining('ELOOP') },
      ],
    })
  })

  test.each([
    ['entered', 0o644],
    ['listed', 0o311],
  ])('when their directory can’t be %s', async (_, mode) => {
    const config = await directory()
    expect(asAnyone(() => load(config))).toMatchObject({ config: { rules: { defaults: { write: 'deny' } } } })
    await closed(config, mode)
    expect(asAnyone(() => load(config))).toMatchObject({
      complaints: [{ message: expect.stringContaining(`${config} can’t be read: EACCES`) }],
    })
  })

  test('when BOBBIN_CONFIG_DIR names a file', async () => {
    const file = join(await directory(), 'hitl_rules.yaml')
    expect(load(file)).toMatchObject({ complaints: [{ message: expect.stringContaining(`${file} can’t be read`) }] })
  })

  test.each([
    ['installed', installed],
    ['not installed', undefined],
  ])('when the folder config of the home is a link to nothing, and the program is %s', async (_, program) => {
    const home = await scratch()
    await symlink('/nowhere/config', join(home, 'config'))
    const environment = { BOBBIN_HOME: home }
    const { configDir } = enterHome({ environment, workingDir: '/', program })
    expect(configDir).toBe(join(home, 'config'))
    expect(load(configDir)).toMatchObject({ complaints: [{ message: expect.stringContaining(configDir) }] })
  })

  test('when .env is a link to nothing, or its folder can’t be entered', async () => {
    const home = await scratch()
    await symlink('/nowhere/env', join(home, '.env'))
    const enter = () => enterHome({ environment: { BOBBIN_HOME: home }, workingDir: '/', program: installed })
    const refused = expect.objectContaining({ code: 'bad_env_file', message: expect.stringContaining('.env can’t be') })
    expect(enter).toThrow(refused)
    await closed(home, 0o644)
    expect(() => asAnyone(enter)).toThrow(refused)
  })
})
