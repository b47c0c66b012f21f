import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Subject, startSubject } from './subject.ts'
import { atMost, mb, median, ms, row } from './table.ts'

// Compares a start with 50 skills and 20 MCP servers with one that has none, in turns, on one machine. The servers' tools are
// known from an earlier start, as they are from the second one on; a first start has to run each server once.

const root = resolve(import.meta.dirname, '..')
const quick = process.argv.includes('--quick')
const rounds = quick ? 3 : 11
const [skills, servers] = [50, 20]

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
const program = join(root, 'tests/support/mcp/server.js')
const names = Array.from({ length: servers }, (_, place) => `server${place}`)

async function configure(folder: string, isFull: boolean): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (!isFull) return
  for (let place = 0; place < skills; place++) {
    const name = `skill-${place}`
    await mkdir(join(folder, 'skills', name), { recursive: true })
    const front = `---\nname: ${name}\ndescription: Does the work number ${place}, and whatever belongs to it.\n---\n`
    await writeFile(join(folder, 'skills', name, 'SKILL.md'), `${front}${'A line of its instructions.\n'.repeat(200)}`)
  }
  const entries: [string, object][] = []
  for (const name of names) {
    const notes = join(scratch, name)
    await mkdir(notes)
    entries.push([name, { command: process.execPath, args: [program, notes] }])
  }
  await writeFile(join(folder, 'mcp_servers.yaml'), JSON.stringify({ servers: Object.fromEntries(entries) }))
}

const start = (name: string): Promise<Subject> =>
  startSubject([join(root, 'src/bin.js'), 'start'], '/health', {
    ...{ BOBBIN_PORT: '0', BOBBIN_LOG_LEVEL: 'silent', BOBBIN_DATA_DIR: join(scratch, `${name}-data`) },
    BOBBIN_CONFIG_DIR: join(scratch, name),
  })

async function learnAll(bot: Subject): Promise<void> {
  for (;;) {
    const response = await fetch(`${bot.url}/api/v1/mcp/servers`)
    const { servers: all } = (await response.json()) as { servers: { tools: number }[] }
    if (all.every(({ tools }) => tools > 0)) return
    await sleep(100)
  }
}

await configure(join(scratch, 'full'), true)
await configure(join(scratch, 'plain'), false)
const first = await start('full')
await learnAll(first)
await first.stop()
await (await start('plain')).stop()

const found = {
  full: { ready: [] as number[], cpu: [] as number[], memory: [] as number[] },
  plain: { ready: [] as number[], cpu: [] as number[], memory: [] as number[] },
}
for (let round = 0; round < rounds; round++)
  for (const name of ['full', 'plain'] as const) {
    const bot = await start(name)
    found[name].ready.push(bot.readyMs)
    found[name].cpu.push(bot.cpuMs())
    // What is loaded after the start is there, too.
    await sleep(quick ? 1_500 : 3_000)
    found[name].memory.push(bot.memory())
    await bot.stop()
  }
await rm(scratch, { recursive: true, force: true })

row(`${skills} skills and ${servers} MCP servers`, 'with', 'without', 'costs', 'target')
const [a, b] = [median(found.full.ready), median(found.plain.ready)]
row(`ready, median of ${rounds}`, ms(a), ms(b), ms(a - b), atMost(Math.round(a - b), 100, ' ms'))
// Wherever other programs run, this says more than the clock.
const [e, f] = [median(found.full.cpu), median(found.plain.cpu)]
row('processor time until then', ms(e), ms(f), ms(e - f))
const [c, d] = [median(found.full.memory), median(found.plain.memory)]
row('idle memory', mb(c), mb(d), mb(c - d), atMost(Math.round(c - d), 20, ' MB'))
