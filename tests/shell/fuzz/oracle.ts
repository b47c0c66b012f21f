import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** What real bash did with a line. */
export interface Done {
  /** Program and arguments, of everything that was called, where nothing but names is real. */
  called: string[][]
  /** Programs that ran beside those that may run unasked, where these are real; and files that were changed. */
  others: string[][]
  changed: string[]
}

const real = [
  'ls cat date whoami head tail wc grep cut sort uniq nl stat file du df basename dirname tr find diff cmp comm paste od',
  'realpath readlink cksum md5sum sha1sum sha256sum sha512sum',
].flatMap((names) => names.split(' '))

/** A workspace with names that are made to be taken for options. */
const planted: Record<string, string> = {
  'b.csv': 'b,2\na,1\n',
  a: 'x\n',
  '-o': 'x\n',
  '-v': 'x\n',
  '-s': 'x\n',
  '--output=uploads': 'x\n',
  'a[$(mark)]': 'x\n',
  'uploads/a.txt': 'b\na\n',
  'outputs/kept': 'x\n',
  'temp/kept': 'x\n',
}

/** Each call is written down in one go, so that those of a pipe do not mix. */
const note =
  'note() { builtin printf "%s\\001" "$@" $\'\\002\' >> "$LOG"; }; command_not_found_handle() { note "$@"; }; export LOG\n'
/** Functions go before builtins: with them, nothing at all happens but that it is written down. */
const onlyNames = (): string =>
  spawnSync('/bin/bash', ['-c', 'compgen -b'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((name) => /^[a-z]+$/.test(name) && name !== 'builtin')
    .map((name) => `${name}() { note ${name} "$@"; }\n`)
    .join('')

// Both run the line itself just as a command of the bot runs: `bash -c`, with nothing of this script in its environment.
const driver = `mapfile -d '' -t lines < /batch/lines
for at in "\${!lines[@]}"; do
  for how in names real; do
    cd /batch/$at/$how 2>/dev/null || continue
    env -i PATH=/batch/$how HOME=/nowhere LANG=C.UTF-8 LOG=/batch/$at/$how.log BASH_ENV=/batch/$how.sh \\
      /usr/bin/timeout -s KILL 5 /bin/bash -c "\${lines[at]}" < /dev/null > /dev/null 2>&1
  done
done
exit 0
`

const folders = ['/usr', '/bin', '/lib', '/lib64', '/etc/alternatives', '/etc/magic', '/etc/passwd']

function fill(directory: string) {
  for (const folder of ['uploads', 'outputs', 'temp']) mkdirSync(join(directory, folder), { recursive: true })
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(directory, name), text)
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))

function changedIn(directory: string): string[] {
  const there = filesIn(directory)
  return [
    ...there.filter((path) => readFileSync(join(directory, path), 'utf8') !== planted[path]),
    ...Object.keys(planted).filter((path) => !there.includes(path)),
  ]
}

function logged(path: string): string[][] {
  try {
    const calls = readFileSync(path, 'utf8').split('\u0002\u0001').slice(0, -1)
    return calls.map((call) => call.split('\u0001').slice(0, -1))
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
}

/** Runs lines in real bash, all of them in one sandbox; only those that `isReal` says with real programs too. */
export function runAll(lines: { line: string; isReal: boolean }[]): Done[] {
  const batch = mkdtempSync(join(tmpdir(), 'bobbin-fuzz-'))
  try {
    for (const how of ['names', 'real']) mkdirSync(join(batch, how))
    for (const program of real) symlinkSync(`/usr/bin/${program}`, join(batch, 'real', program))
    writeFileSync(join(batch, 'lines'), lines.map(({ line }) => `${line}\u0000`).join(''))
    writeFileSync(join(batch, 'names.sh'), note + onlyNames())
    writeFileSync(join(batch, 'real.sh'), note)
    lines.forEach(({ isReal }, at) => {
      for (const how of isReal ? ['names', 'real'] : ['names']) fill(join(batch, String(at), how))
    })
    const ended = spawnSync('bwrap', [
      ...folders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
      ...['--bind', batch, '/batch', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...['--unshare-all', '--die-with-parent', '--', '/bin/bash', '-c', driver],
    ])
    if (ended.status !== 0) throw new Error(`bash could not be run: ${ended.stderr || ended.error}`)
    return lines.map(({ isReal }, at) => {
      const directory = join(batch, String(at))
      return {
        called: logged(join(directory, 'names.log')),
        others: isReal ? logged(join(directory, 'real.log')) : [],
        changed: [
          ...new Set([...changedIn(join(directory, 'names')), ...(isReal ? changedIn(join(directory, 'real')) : [])]),
        ],
      }
    })
  } finally {
    rmSync(batch, { recursive: true, force: true })
  }
}
