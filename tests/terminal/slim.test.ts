import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { scratch } from '../support/store.ts'

const slim = resolve(import.meta.dirname, '../../scripts/slim.js')

test.each([
  ['is older', 'v20.20.2', '/usr/bin/node', true],
  ['is new enough', 'v24.1.0', '/usr/bin/node', false],
  ['is the one that was brought', 'v24.1.0', 'node_modules/.bin/node', true],
])('a production install keeps the Node that it brought if npm’s %s', async (_, version, npmRunsOn, isKept) => {
  const folder = await scratch()
  for (const name of ['scripts', 'node_modules/pino', 'node_modules/node']) {
    await mkdir(join(folder, name), { recursive: true })
  }
  await copyFile(slim, join(folder, 'scripts/slim.js'))
  await writeFile(join(folder, 'node_modules/node/package.json'), '{}')
  // npm puts the programs of packages first, so this already runs on the Node that was brought.
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/slim.js')], {
    env: {
      npm_config_omit: 'dev',
      npm_config_user_agent: `npm/11.0.0 node/${version} linux x64`,
      npm_node_execpath: resolve(folder, npmRunsOn),
    },
  })
  expect(existsSync(join(folder, 'node_modules/node'))).toBe(isKept)
})
