import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { scratch } from '../support/store.ts'

const bin = resolve(import.meta.dirname, '../../src/bin.js')
export const typed = (words: string[]) => words.map((word) => JSON.stringify(word)).join(' ')
export const bobbinChat = [process.execPath, bin, 'chat']

/** `bobbin chat` in a folder of its own, or another program; `terminal` gives it one. */
export async function chat(
  url: string,
  args: string[] = [],
  { terminal = false, token = '', program: named = bobbinChat } = {},
) {
  const folder = await scratch()
  const own = [...named, ...args]
  const [program = '', ...rest] = terminal ? ['script', '-qfec', typed(own), '/dev/null'] : own
  const env = { PATH: process.env.PATH, BOBBIN_HOME: folder, BOBBIN_URL: url, BOBBIN_TOKEN: token }
  const child = spawn(program, rest, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  const errors = text(child.stderr)
  const ended = once(child, 'close').then(async ([code]) => ({ code, out, error: await errors }))
  const write = (keys: string) => void child.stdin.write(keys)
  const type = (line: string) => write(`${line}\n`)
  return {
    folder,
    type,
    write,
    end: () => void child.stdin.end(),
    ended,
    raw: () => out,
    out: () => stripVTControlCharacters(out),
  }
}
