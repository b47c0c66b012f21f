import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { PDFDocument } from 'pdf-lib'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../support/client.ts'
import { scratch } from '../support/store.ts'

const top = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Unpacks what `npm pack` makes into a node_modules of its own, below the one that is here, whose packages it finds. */
async function install(): Promise<string> {
  const folder = await mkdtemp(join(top, 'node_modules/.package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const own = join(folder, 'node_modules/bobbin')
  await mkdir(own, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder], {
    cwd: top,
  })
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
  expect(existsSync(join(top, 'dist'))).toBe(false)

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
