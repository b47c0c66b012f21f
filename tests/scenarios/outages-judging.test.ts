import { expect, test } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import type { LateWorkspace } from '../../src/workspace/late.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { asked, audited, results, shippedRules, yes } from './trust.ts'

/** From when it is armed, the first look of this kind at this path meets an outage. */
function meeting(what: 'stat' | 'read' | 'readRange' | 'walk', where: string) {
  let isArmed = false
  let met = 0
  const meets = (path: string) => {
    if (!isArmed || path !== where) return
    isArmed = false
    met++
    throw new Failure('busy', 'Too many files are open.', 'Wait.')
  }
  const plugin: Capability = {
    name: 'meeting',
    mayCall(_, turn) {
      const workspace = turn.workspace as LateWorkspace
      const { stat, read, readRange, walk } = workspace
      if (what === 'stat') workspace.stat = async (path) => meets(path) ?? stat(path)
      if (what === 'read') workspace.read = async (path, most) => meets(path) ?? read(path, most)
      if (what === 'readRange') workspace.readRange = async (path, ...at) => meets(path) ?? readRange(path, ...at)
      if (what === 'walk')
        workspace.walk = async function* (path, options) {
          meets(path)
          yield* walk(path, options)
        }
    },
  }
  return {
    plugin,
    met: () => met,
    arm() {
      isArmed = true
    },
  }
}

/** The next look into a group meets an outage. Returns how often one was looked into since. */
function meetsOnce({ groups }: MemoryBot['memory']['world']): () => number {
  let looked = 0
  groups.get = (name) => {
    const none = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
    if (looked++ === 0) throw new TypeError('fetch failed', { cause: none })
    return Map.prototype.get.call(groups, name)
  }
  return () => looked
}

const file = (path: string, content: string) => ['write_file', { path, content }] as [string, object]

test.each([
  ['read', 'temp/x.sh', 'bash temp/x.sh'],
  ['stat', 'temp/d', 'cd temp/d && bash ../x.sh'],
  ['walk', 'temp', 'node temp/x.js'],
  ['read', 'temp/y.js', 'node temp/x.js'],
] as const)('what was approved runs, although %s of %s met an outage: %s', async (what, where, command) => {
  const { plugin, arm, met } = meeting(what, where)
  const made = calls(
    ...file('temp/x.sh', 'echo hello'),
    file('temp/d/a.txt', 'a'),
    file('temp/y.js', ''),
    file('temp/x.js', 'console.log(1)'),
  )
  const script = [made, calls('run_command', { command }), says('Done.')]
  const bot = await startMemoryBot({ plugins: [plugin], script, config: { engine: { clockMs: 20 } } })
  const root = await bot.memory.say('ana', '@bobbin write it and @run_command it')
  const card = await bot.memory.untilCard(root)
  // Its run looks at the files once more before it rests.
  await bot.memory.eventually(() => expect(bot.rows('select state from turns')).toEqual([{ state: 'waiting' }]))
  arm()
  await bot.memory.click('ben', card, yes)
  await bot.memory.eventually(() => expect(bot.memory.answers(root).at(-1)).toBe('Done.'))
  expect(met()).toBe(1)
  expect(results(bot).at(-1)).toBe('done')
  expect(bot.memory.cards(root)).toHaveLength(1)
})

test('nobody is asked about a file that could not be looked at for a moment', async () => {
  const { plugin, arm, met } = meeting('readRange', 'temp/x.txt')
  const command = 'echo hello > temp/x.txt'
  const script = [calls(...file('temp/x.txt', 'a')), calls('run_command', { command }), says('Done.')]
  const bot = await startMemoryBot({ plugins: [plugin], script })
  arm()
  const root = await bot.memory.say('ana', '@bobbin write it and @run_command it')
  await bot.memory.eventually(() => expect(bot.memory.answers(root).at(-1)).toBe('Done.'))
  expect(met()).toBe(1)
  expect(results(bot)).toEqual(['done', 'done'])
  expect(bot.memory.cards(root)).toEqual([])
})

test('an outage while a group is looked up bars nobody from a tool', async () => {
  const rules = { ...shippedRules(), use: [{ tools: ['now'], people: ['group:team'] }] }
  const bot = await startMemoryBot({ config: { rules }, script: [calls('now', {}), says('Done.')] })
  const { world } = bot.memory
  world.groups.set('team', ['ana'])
  const looked = meetsOnce(world)
  const root = await bot.memory.say('ana', '@bobbin what time is it?')
  await bot.memory.eventually(() => expect(bot.memory.answers(root).at(-1)).toBe('Done.'))
  expect(looked()).toBeGreaterThan(1)
  expect(results(bot)).toEqual(['done'])
})

test('an outage while a group is looked up refuses nobody who decides or commands: they can do it again', async () => {
  const decide = { low: 'team', medium: 'team', high: 'team', critical: 'team' }
  const rules = asked({ who: ['group:team'] }, { decide })
  const script = [calls(...file('temp/x.txt', 'a')), says('Done.')]
  const bot = await startMemoryBot({ config: { rules }, script })
  const { memory } = bot
  memory.world.groups.set('team', ['ben'])
  const root = await memory.say('ana', '@bobbin write it')
  const card = await memory.untilCard(root)
  meetsOnce(memory.world)
  const outage = { code: 'too_many_files' }
  await expect(memory.click('ben', card, yes)).rejects.toMatchObject(outage)
  expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toBe('Done.'))

  meetsOnce(memory.world)
  await expect(memory.say('ben', '@bobbin skills off pdf', { in: root })).rejects.toMatchObject(outage)
  await memory.deliver(memory.world.messages.findLast(({ text }) => text.includes('skills off')) ?? root)
  await memory.eventually(() => expect(memory.answers(root).at(-1)).toContain('pdf is off in this channel'))
  expect(await audited(bot)).not.toContain('refused')
})
