import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ApprovalRequest } from '../../src/domain/request.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { heard, yes } from './trust.ts'

const marker = '/workspace/outputs/ran'

interface Planted {
  /** Written by the file tool, without being asked. */
  files?: Record<string, string>
  /** In the root of the workspace, where nobody should be able to put it. */
  root?: Record<string, string>
  command: string
  directory?: string
}

/** Files are planted, and ana approves one command. What its card said, and whether anything planted has run. */
async function approved({ files = {}, root = {}, command, directory = '' }: Planted) {
  const plants = Object.entries(files).map(([path, content]) => calls('write_file', { path, content }))
  const script = [...plants, calls('run_command', { command, directory }), says('Done.')]
  const bot = await startMemoryBot({ script })
  const message = await bot.memory.say('ana', '@bobbin @run_command it', { files: { 'a.txt': 'kept' } })
  const card = (await bot.memory.untilCard(message)) as ApprovalRequest
  const folder = join(bot.dataDir, 'workspace')
  const workspace = join(folder, `${(await readdir(folder))[0]}`)
  for (const [name, content] of Object.entries(root)) await writeFile(join(workspace, name), content)
  await bot.memory.click('ana', card, yes)
  // What it runs was posted above the card.
  await bot.memory.eventually(() => expect(bot.memory.answers(message)).toContain('Done.'))
  expect(bot.memory.cards(message)).toHaveLength(1)
  const shown = (card.payload.scripts ?? []).map(({ path }) => path)
  const { unclear, grants } = card.payload
  return { ran: existsSync(join(workspace, 'outputs/ran')), shown, unclear, grants, heard: heard(bot), workspace }
}

describe('no program takes settings from the workspace as its home', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      '.gitconfig',
      { '.gitconfig': `[core]\n\tfsmonitor = "touch ${marker}; false"\n` },
      'git init -q temp/r && cd temp/r && git status',
    ],
    ['.sqliterc', { '.sqliterc': `.shell touch ${marker}\n` }, "sqlite3 :memory: 'select 1'"],
    ['.npmrc', { '.npmrc': 'script-shell=/workspace/outputs/shell.sh\n' }, 'cd outputs/app && npm test'],
  ])('%s', async (_, root, command) => {
    const files = {
      'outputs/shell.sh': `#!/bin/sh\ntouch ${marker}\n`,
      'outputs/app/package.json': '{"scripts": {"test": "echo tested"}}',
    }
    expect(await approved({ files, root, command })).toMatchObject({ ran: false })
  })
})

describe('what a program loads by itself is shown, or its call is unclear and asked each time', () => {
  test('a makefile beside the Makefile', async () => {
    const files = { 'outputs/Makefile': 'all:\n\techo fine\n', 'outputs/makefile': `all:\n\ttouch ${marker}\n` }
    const { shown, unclear, grants } = await approved({ files, command: 'make', directory: 'outputs' })
    expect(shown).toEqual(expect.arrayContaining(['outputs/makefile', 'outputs/Makefile']))
    expect(unclear).toEqual(['make may run or read files and settings beside what is shown'])
    expect(grants).toMatchObject({ exact: [], wide: ['anything in the closed sandbox'] })
  })

  test('an .npmrc beside the package.json', async () => {
    const files = {
      'outputs/package.json': '{"scripts": {"test": "echo tested"}}',
      'outputs/.npmrc': 'loglevel=silent\n',
    }
    const { shown, unclear } = await approved({ files, command: 'npm test', directory: 'outputs' })
    expect(shown).toEqual(expect.arrayContaining(['outputs/package.json', 'outputs/.npmrc']))
    expect(unclear).toEqual(['npm may run or read files and settings beside what is shown'])
  })

  test('tests that node finds', async () => {
    const files = { 'outputs/a.test.js': `require('node:fs').writeFileSync('${marker}', '')` }
    const { unclear, grants } = await approved({ files, command: 'node --test', directory: 'outputs' })
    expect(unclear).toEqual(['node may run or read files and settings beside what is shown'])
    expect(grants?.exact).toEqual([])
  })

  test('what a script in JavaScript imports', async () => {
    const files = { 'outputs/x.cjs': "require('./lib.cjs')", 'outputs/lib.cjs': 'console.log(6 * 7)' }
    const { shown, heard } = await approved({ files, command: 'node outputs/x.cjs' })
    expect(shown).toEqual(['outputs/x.cjs', 'outputs/lib.cjs'])
    expect(heard).toContain('42')
  })

  test('a repository that says which program git starts', async () => {
    const config = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "touch ${marker}; false"\n\thooksPath = /workspace/outputs/hooks\n`
    const files = {
      'outputs/r/.git/config': config,
      'outputs/r/.git/HEAD': 'ref: refs/heads/main\n',
      'outputs/r/.git/objects/x': '',
      'outputs/r/.git/refs/x': '',
      'outputs/r/a': '',
    }
    const { ran, unclear, heard } = await approved({ files, command: 'git status --short', directory: 'outputs/r' })
    expect(heard).toContain('?? a')
    expect(ran).toBe(false)
    expect(unclear).toEqual(['git may run or read files and settings beside what is shown'])
  })
})

describe('Python does not import from the folder it runs in', () => {
  const json = {
    'outputs/json.py': `open('${marker}', 'w')\n`,
    'outputs/x.py': 'import json\nprint(json.dumps([42]))\n',
  }

  test.each([
    ['python3 outputs/x.py', ''],
    ['python3 x.py', 'outputs'],
    ['python3 -c "import json; print(json.dumps([42]))"', 'outputs'],
    ['./x.py', 'outputs'],
  ])('%s finds no json.py', async (command, directory) => {
    const files = { ...json, 'outputs/x.py': `#!/usr/bin/env python3\n${json['outputs/x.py']}` }
    const { ran, heard } = await approved({ files, command: `${command} || bash -c 'exit 0'`, directory })
    expect(ran).toBe(false)
    if (command !== './x.py') expect(heard).toContain('[42]')
  })

  test('but what a script imports from there is shown, and is what it gets', async () => {
    const files = {
      'outputs/helper.py': 'import deeper\nanswer = deeper.answer\n',
      'outputs/deeper.py': 'answer = 42\n',
      'outputs/helper/__init__.py': `open('${marker}', 'w')\n`,
      'outputs/x.py': 'from helper import answer\nprint(answer)\n',
    }
    const { ran, shown, heard } = await approved({ files, command: 'python3 outputs/x.py' })
    expect(shown).toEqual(['outputs/x.py', 'outputs/helper.py', 'outputs/deeper.py'])
    expect(heard).toContain('42')
    expect(ran).toBe(false)
  })
})

test('an approved command writes only where file tools do', async () => {
  const places = ['.metadata.json', '.npmrc', 'new', 'skills/x', 'uploads/a.txt', 'outputs/x', 'temp/x']
  const command = places.map((place) => `echo planted > ${place}`).join('; ')
  const { heard, workspace } = await approved({ command: `rm -rf none; ${command}` })
  const isPlanted = async (place: string) =>
    (await readFile(join(workspace, place), 'utf8').catch(() => '')) === 'planted\n'
  const planted: string[] = []
  for (const place of places) if (await isPlanted(place)) planted.push(place)
  expect(planted).toEqual(['uploads/a.txt', 'outputs/x', 'temp/x'])
  expect(heard).toContain('Read-only file system')
  expect(heard).toContain('[Commands can write only to uploads/, outputs/ and temp/')
})
