import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { argumentsOf, command, image, top } from '../image/dockerfile.ts'
import { portOfItsOwn } from '../support/free-port.ts'
import { scratch } from '../support/store.ts'
import { eventually } from '../support/until.ts'

const run = promisify(execFile)

const copied = argumentsOf('COPY', image)

test('what the Dockerfile copies starts with its command, and its health check says so', async () => {
  const folder = await scratch()
  for (const rest of copied) {
    if (rest.startsWith('--from')) continue
    const [target = '', ...sources] = rest.split(/\s+/).toReversed()
    for (const source of sources)
      cpSync(join(top, source), join(folder, target, target === './' ? source : ''), { recursive: true })
  }
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'))
  const set = argumentsOf('ENV', image)
    .join(' ')
    .split(/\s+/)
    .map((pair) => pair.split('='))
  const data = await scratch()
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, ...Object.fromEntries(set) }
  Object.assign(env, { BOBBIN_HOME: data, BOBBIN_DATA_DIR: data, BOBBIN_HOST: '127.0.0.1', ...(await portOfItsOwn()) })
  const [, ...args] = [...command('ENTRYPOINT'), ...command('CMD')]
  const bot = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' })
  onTestFinished(() => void bot.kill('SIGKILL'))
  const [, ...check] = command('HEALTHCHECK')
  await eventually(() => run(process.execPath, check, { env }))
  bot.kill('SIGTERM')
  await once(bot, 'exit')
  await expect(run(process.execPath, check, { env })).rejects.toMatchObject({ code: 1 })
})

test('systemd understands the unit, which lets the bot write only its own folder', async () => {
  const unit = readFileSync(join(top, 'systemd/bobbin.service'), 'utf8')
  for (const line of ['ProtectSystem=strict', 'NoNewPrivileges=yes', 'User=bobbin', 'StateDirectory=bobbin'])
    expect(unit.split('\n')).toContain(line)
  if (!existsSync('/usr/bin/systemd-analyze')) return
  const file = join(await scratch(), 'bobbin.service')
  await writeFile(file, unit.replace('/usr/local/bin/bobbin', '/bin/sh'))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file])
  // It also finds fault with other units of the machine.
  expect((stdout + stderr).split('\n').filter((line) => line.includes('bobbin'))).toEqual([])
})
