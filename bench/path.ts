import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSlackServer } from '../tests/support/slack/server.ts'
import { executedLines, ranAtAll, type ScriptCoverage } from './executed.ts'
import { startSubject } from './subject.ts'

// How much of our own code one plain mention goes through, from the fake Slack's socket to the answer posted there.
//
// V8's precise block coverage counts in the bot's own process. After some mentions in threads of their own, the counters
// are reset; then each window is one mention in a new thread plus 300 ms, so that writes after the answer are included. A
// line counts, even a closing brace, if any part of it except types and comments ran in more than half of the windows; a
// file counts if one of its lines does. Only src/ is counted. Code that runs while modules load is not included, and the
// clock and the sweep for forgotten sessions run only every ten minutes, so that they don't interfere.
//
// --files also lists the files; --lines <file> lists the numbers of its lines.

const root = resolve(import.meta.dirname, '..')
const windows = 5
const warmUps = 5
const settledMs = 300
const goal = { files: 45, lines: 2_000 }

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-path-'))
const model = await startSubject([join(root, 'bench/model.ts')], '')
const slack = await startSlackServer()
await mkdir(join(scratch, 'config'))
await writeFile(join(scratch, 'config/bobbin.yaml'), 'engine:\n  clock_ms: 600000\n  sweep_ms: 600000\n')
const connected = slack.until(() => slack.sockets.connections > 0, 60_000)
const bot = await startSubject(
  ['--import', join(root, 'bench/take-coverage.ts'), join(root, 'src/bin.js'), 'start'],
  '',
  {
    NODE_V8_COVERAGE: join(scratch, 'coverage'),
    // Cached code is counted less precisely.
    NODE_DISABLE_COMPILE_CACHE: '1',
    MODEL_BASE_BASE_URL: model.url,
    MODEL_BASE_ID: 'bench',
    MODEL_BASE_API_KEY: 'none',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    BOBBIN_CONFIG_DIR: join(scratch, 'config'),
    BOBBIN_PORT: '0',
    BOBBIN_LOG_LEVEL: 'silent',
    BOBBIN_DATA_DIR: join(scratch, 'data'),
  },
)
await connected

for (let warmUp = 0; warmUp < warmUps; warmUp++) await mention()
await sleep(settledMs)
await takeCoverage()

const times = new Map<string, Map<number, number>>()
for (let window = 0; window < windows; window++) {
  await mention()
  await sleep(settledMs)
  for (const script of await takeCoverage()) await note(script)
}
await bot.stop()
await model.stop()
await slack.close()
await rm(scratch, { recursive: true, force: true })

const onTheWay = [...times].flatMap(([file, lines]) => {
  const executed = [...lines].filter(([, count]) => count > windows / 2).map(([line]) => line)
  return executed.length > 0 ? [{ file, executed }] : []
})
print()

async function mention(): Promise<void> {
  const ts = slack.people.mention('ana', 'general', 'hello')
  await slack.until(
    () =>
      slack
        .view('general', ts)
        .some(({ user, streaming, text }) => user === slack.bot.id && !streaming && /@\d+/.test(text)),
    30_000,
  )
}

/** The code that ran since the last call. */
async function takeCoverage(): Promise<ScriptCoverage[]> {
  process.kill(bot.pid, 'SIGUSR2')
  const directory = join(scratch, 'coverage')
  for (;;) {
    const [name] = await readdir(directory).catch(() => [])
    if (name !== undefined) {
      const file = join(directory, name)
      try {
        const { result } = JSON.parse(await readFile(file, 'utf8')) as { result: ScriptCoverage[] }
        await rm(file)
        return result.filter(({ url }) => url.startsWith('file:'))
      } catch (thrown) {
        // It is still being written.
        if (!(thrown instanceof SyntaxError)) throw thrown
      }
    }
    await sleep(20)
  }
}

async function note({ url, functions }: ScriptCoverage): Promise<void> {
  const path = fileURLToPath(url)
  const file = relative(join(root, 'src'), path)
  if (file.startsWith('..') || !/\.(ts|js)$/.test(file) || !ranAtAll(functions)) return
  const counts = times.get(file) ?? new Map<number, number>()
  times.set(file, counts)
  for (const line of executedLines(await readFile(path, 'utf8'), functions))
    counts.set(line, (counts.get(line) ?? 0) + 1)
}

/** The first folder; two levels where a folder only holds folders of subjects. */
function stageOf(file: string): string {
  const folders = file.split('/').slice(0, -1)
  return (
    folders.slice(0, ['chat', 'platforms', 'kit', 'capabilities'].includes(folders[0] ?? '') ? 2 : 1).join('/') || '.'
  )
}

function print(): void {
  const row = (what: string, files: number | string, lines: number | string, more = '') =>
    process.stdout.write(`${what.padEnd(40)} ${String(files).padStart(8)} ${String(lines).padStart(10)}  ${more}\n`)
  const sum = (some: typeof onTheWay) => some.reduce((lines, { executed }) => lines + executed.length, 0)
  const stages = Map.groupBy(onTheWay, ({ file }) => stageOf(file))

  row('one plain mention in Slack', 'files', 'lines')
  for (const [stage, files] of [...stages].toSorted(([, a], [, b]) => sum(b) - sum(a))) {
    row(stage, files.length, sum(files))
    if (!process.argv.includes('--files')) continue
    for (const { file, executed } of files.toSorted((a, b) => b.executed.length - a.executed.length))
      row(`  ${file}`, '', executed.length)
  }
  const [files, lines] = [onTheWay.length, sum(onTheWay)]
  row(
    'in total',
    files,
    lines,
    `at most ${goal.files}, ${goal.lines}: ${files <= goal.files && lines <= goal.lines ? 'ok' : 'missed'}`,
  )
  const [, shown] = /--lines[= ](\S+)/.exec(process.argv.join(' ')) ?? []
  const one = onTheWay.find(({ file }) => file === shown)
  if (one !== undefined) process.stdout.write(`${one.file}: ${one.executed.join(' ')}\n`)
}
