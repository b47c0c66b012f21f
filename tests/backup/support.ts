import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { headerOf, paddingAfter, tarEnd } from '../../src/kit/archive/tar.ts'
import { until } from '../support/until.ts'

/** Permissions count for root, too. */
export const unprivileged = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

/** To start a command through that stands still once it has begun so many new files. */
export const standingStillAt = (files: number): string[] => [
  'env',
  `NODE_OPTIONS=--import ${join(import.meta.dirname, 'stand-still.js')}`,
  `NEW_FILES=${files}`,
]

/** A command in a process of its own, which may be killed. `through`: a command to start it through. */
export function launch(dataDir: string, args: string[], through: string[] = []) {
  // A home without a .env, which anybody may look into.
  const env = { PATH: process.env.PATH, BOBBIN_HOME: import.meta.dirname, BOBBIN_DATA_DIR: dataDir }
  const [program = '', ...all] = [...through, process.execPath, 'src/bin.js', ...args]
  const child = spawn(program, all, { env, stdio: 'pipe' })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return {
    ...{ kill: () => child.kill('SIGKILL'), ended, said: () => said },
    untilStill: () => until('it to stand still', () => said.includes('It stands still.')),
    goOn: () => child.stdin.end(),
  }
}

interface Part {
  path: string
  content: Buffer
  /** Instead of a regular file. */
  type?: string
  /** Isn't in the list. */
  unlisted?: boolean
}

/** An archive with these files and empty folders, and a description that matches unless it is given. */
export async function forge(file: string, parts: Part[], about: object = {}, folders: string[] = []): Promise<void> {
  const bytes = parts.reduce((sum, { content }) => sum + content.length, 0)
  const says = {
    format: 1,
    version: '0.1.0',
    createdAt: '2026-01-01T00:00:00.000Z',
    files: parts.length,
    bytes,
    ...about,
  }
  const lines = parts
    .filter(({ unlisted }) => !unlisted)
    .map(({ path, content }) => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      return JSON.stringify({ path, size: content.length, sha256, modifiedAt: 0 })
    })
  const listed = folders.map((folder) => JSON.stringify({ folder }))
  const all: Part[] = [
    { path: 'about.json', content: Buffer.from(JSON.stringify(says)) },
    ...parts,
    { path: 'manifest.jsonl', content: Buffer.from([...lines, ...listed].join('\n')) },
  ]
  const pieces = all.flatMap(({ path, content, type }) => [
    typed(headerOf({ path, size: content.length, mode: 0o600, modifiedAt: 0 }), type),
    content,
    paddingAfter(content.length),
  ])
  await writeFile(file, gzipSync(Buffer.concat([...pieces, tarEnd])))
}

/** The same header for another kind of entry, such as a link to /etc. */
function typed(header: Buffer, type: string | undefined): Buffer {
  if (type === undefined) return header
  header.write(type, 156, 'latin1')
  header.write('/etc\0', 157, 'latin1')
  header.write(' '.repeat(8), 148, 'latin1')
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** Changes one byte of what an archive contains. */
export async function spoil(file: string, at: (content: Buffer) => number): Promise<void> {
  const content = gunzipSync(await readFile(file))
  const place = at(content)
  content[place] = (content[place] ?? 0) ^ 0xff
  await writeFile(file, gzipSync(content))
}
