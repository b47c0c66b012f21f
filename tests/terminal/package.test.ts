import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { PDFDocument } from 'pdf-lib'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../support/client.ts'
import { scratch } from '../support/store.ts'

const top = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A copy of what is packed: packing builds there, and in the checkout another run of the tests may be at it too. */
async function copied(): Promise<string> {
  const folder = await scratch()
  const left = /^(\..*|node_modules|data|dist|tests|bench|docs)$/
  for (const name of (await readdir(top)).filter((one) => !left.test(one) || one === '.env.example'))
    await cp(join(top, name), join(folder, name), { recursive: true })
  await symlink(join(top, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Unpacks what `npm pack` makes into a node_modules of its own, below the one that is here, whose packages it finds. */
async function install(): Promise<string> {
  const folder = await mkdtemp(join(top, 'node_modules/.package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const own = join(folder, 'node_modules/bobbin')
  await mkdir(own, { recursive: true })
  const source = await copied()
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder], {
    cwd: source,
  })
  expect(existsSync(join(source, 'dist'))).toBe(false)
  const tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  await run('tar', ['xzf', tarball, '-C', own, '--strip-components=1'])
  return own
}

async function pdfThatSays(text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.addPage().drawText(text, { x: 50, y: 500 })
  return pdf.save()
}

test('what npm pack makes runs from node_modules, reads documents there, and leaves the tree as it was', async () => {
  const bin = join(await install(), 'src/bin.js')
  const folder = await scratch()
  const env = { PATH: process.env.PATH, HOME: folder, BOBBIN_PORT: '0', BOBBIN_LOG_LEVEL: 'error' }
  const bot = spawn(process.execPath, [bin, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void bot.kill('SIGKILL'))
  const said: string[] = []
  for await (const line of createInterface({ input: bot.stdout })) {
    said.push(line)
    if (line.startsWith('Data: ')) break
  }
  const url = /ready: (\S+)/.exec(said[0] ?? '')?.[1] ?? ''
  expect(said.at(-1)).toBe(`Data: ${join(folder, '.local/share/bobbin')} (new)`)
  const files = { 'lease.pdf': await pdfThatSays('The notice period is three months.') }
  const { events } = await new Client(url).say('find "notice period" in the files', { files })
  expect(JSON.stringify(events)).toContain('three months')
  bot.kill('SIGTERM')
  expect(await once(bot, 'exit')).toEqual([0, null])
})
