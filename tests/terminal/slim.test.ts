import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
// @ts-expect-error It's plain JavaScript, which old Node versions read too.
import { isUnread } from '../../scripts/unread.js'
import { servedFiles } from '../../src/platforms/console/vendor.ts'
import { scratch } from '../support/store.ts'

const top = resolve(import.meta.dirname, '../..')

test.each([
  ['is older', 'v20.20.2', '/usr/bin/node', true],
  ['is new enough', 'v24.1.0', '/usr/bin/node', false],
  ['is the one that was brought', 'v24.1.0', 'node_modules/.bin/node', true],
])('an install keeps the Node that it brought if npm’s %s', async (_, version, npmRunsOn, isKept) => {
  const folder = await scratch()
  for (const name of ['scripts', 'node_modules/pino', 'node_modules/node']) {
    await mkdir(join(folder, name), { recursive: true })
  }
  for (const name of ['slim.js', 'unread.js']) await copyFile(join(top, 'scripts', name), join(folder, 'scripts', name))
  await writeFile(join(folder, 'node_modules/node/package.json'), '{}')
  // npm puts the programs of packages first, so this already runs on the Node that was brought.
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/slim.js')], {
    env: {
      npm_config_user_agent: `npm/11.0.0 node/${version} linux x64`,
      npm_node_execpath: resolve(folder, npmRunsOn),
    },
  })
  expect(existsSync(join(folder, 'node_modules/node'))).toBe(isKept)
})

const { dependencies } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))

/** What Bobbin and its skills import, however they do it. */
function imported(): string[] {
  const files = globSync(['src/**/*.ts', 'src/**/*.js', 'skills/**/*.mjs'], {
    cwd: top,
    exclude: ['src/platforms/console/public/**', 'src/platforms/console/{vendor,diagram-page}.ts'],
  })
  const names = files.flatMap((file) => {
    const code = readFileSync(join(top, file), 'utf8').replace(/^import type [^']*'[^']*'/gm, '')
    return [...code.matchAll(/'((?:@[\w-]+\/)?([\w.-]+)(?:\/[\w./-]+)?)'/g)].map(([, name = '']) => name)
  })
  const packageOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''
  return [...new Set(names)]
    .filter((name) => !/^node(\/|$)|\.json$/.test(name) && Object.hasOwn(dependencies, packageOf(name)))
    .toSorted()
}

test('nothing that Bobbin loads is removed', async () => {
  const names = imported()
  expect(names.length).toBeGreaterThan(60)
  const loads = `
    import { registerHooks } from 'node:module'
    import { isUnread } from ${JSON.stringify(join(top, 'scripts/unread.js'))}
    registerHooks({ load(url, context, next) {
      const below = url.split('/node_modules/').at(-1)
      if (url.includes('/node_modules/') && isUnread(below)) throw new Error('removed: ' + below)
      return next(url, context)
    } })
    for (const name of ${JSON.stringify(names)}) await import(name)`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', loads], { cwd: top })
  const data = ['cmaps/78-EUC-H.bcmap', 'iccs/CGATS001Compat-v2-micro.icc', 'standard_fonts/LiberationSans-Regular.ttf']
  const served = [
    ...servedFiles,
    '@highlightjs/cdn-assets/es/languages/python.min.js',
    'katex/dist/fonts/KaTeX_Main-Bold.woff2',
  ]
  const late = ['wasm/openjpeg.wasm', 'legacy/build/pdf.worker.mjs', ...data].map((name) => `pdfjs-dist/${name}`)
  const all = [...served, ...late, '@mermaid-js/tiny/dist/mermaid.tiny.js']
  expect(all.filter((name) => isUnread(name) || !existsSync(join(top, 'node_modules', name)))).toEqual([])
})
