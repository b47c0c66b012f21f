import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import { toolSchema } from '../../src/kit/model/tool-schema.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, type ModelServer, says } from '../support/model-server.ts'

const toolsOf = (request: ModelServer['requests'][number] | undefined): string[] =>
  request?.tools?.map((tool) => tool.function.name) ?? []

test('the first request takes at most 12 KB, without what only a validator needs', async () => {
  const bot = await startTestBot({ script: [says('Hello.')] })
  await bot.chat.say('hello')
  const [request] = bot.model.requests
  const text = JSON.stringify(request)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024)
  expect(text).not.toMatch(/\$schema|9007199254740991|additionalProperties/)
})

test('a schema shows the fullest form of an input, and not what is told elsewhere', () => {
  const shown = toolSchema(
    z.strictObject({
      names: z
        .union([z.string().max(9), z.array(z.string().min(1)).max(3)])
        .optional()
        .describe('Whose'),
      parts: z.array(z.strictObject({ title: z.string() })).meta({ shown: 'plain' }),
      every: z.boolean().default(false).describe('All of them'),
      password: z.string().optional().meta({ shown: 'elsewhere' }),
      most: z.int().min(1).max(50).default(5),
    }),
  )
  expect(shown).toEqual({
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, description: 'Whose' },
      parts: { type: 'array', items: { type: 'object' } },
      every: { type: 'boolean', description: 'All of them' },
      most: { type: 'integer', default: 5 },
    },
    required: ['parts'],
  })
})

test('a model loads what it rarely needs, and has it from the next step on, also after a restart', async () => {
  const script = [
    calls('load_tools', { names: ['multi_edit', 'run_command', 'nothing'] }),
    says('Loaded.'),
    says('Still there.'),
  ]
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('get ready')
  const [first, second] = bot.model.requests
  expect(JSON.stringify(first?.messages[0])).toContain('- multi_edit: Makes several edits of one file, all or none.')
  expect(toolsOf(first)).not.toContain('multi_edit')
  expect(toolsOf(second)).toEqual([...toolsOf(first), 'multi_edit'])
  expect(JSON.stringify(second?.messages.at(-1))).toContain(
    'Loaded: multi_edit. These can’t be loaded: run_command, nothing.',
  )
  await bot.restart()
  await bot.chat.say('and now?', { conversation })
  expect(toolsOf(bot.model.requests[2])).toEqual(toolsOf(second))
})

test('a rarely needed tool runs without having been loaded, and has its arguments checked', async () => {
  const seen: unknown[] = []
  const rare = defineTool({
    kind: 'run',
    name: 'rare',
    onDemand: true,
    description: 'Does something rare. It needs care.',
    input: z.strictObject({ what: z.string().describe('What') }),
    effect: 'read',
    run: async ({ what }) => {
      seen.push(what)
      return 'Done.'
    },
  })
  const own: Capability = { name: 'own', tools: [rare] }
  const script = [calls('rare', { what: 'this' }, ['rare', { wrong: 1 }]), says('Done.')]
  const bot = await startTestBot({ script, plugins: [own] })
  await bot.chat.say('do it')
  expect(seen).toEqual(['this'])
  const [first, second] = bot.model.requests
  expect(JSON.stringify(first?.messages[0])).toContain('- rare: Does something rare.\\n')
  expect(JSON.stringify(second?.messages)).toContain('the arguments of rare are not valid')
})

test('config/tools.yaml can have a rarely needed tool always offered, or switch it off', async () => {
  const tier = { always_available: true, category: 'files', tags: [] }
  const config = {
    tiers: { multi_edit: { ...tier, enabled: true }, summarize: { ...tier, enabled: false } },
  }
  const bot = await startTestBot({ script: [says('Hello.')], config })
  await bot.chat.say('hello')
  const [request] = bot.model.requests
  expect(toolsOf(request)).toContain('multi_edit')
  expect(JSON.stringify(request?.messages[0])).not.toMatch(/multi_edit|summarize/)
})

test('a loaded skill brings the tools for its scripts, and plan mode the one that ends it', async () => {
  const bot = await startTestBot({ script: () => says('Fine.') })
  const { conversation } = await bot.chat.say('@pdf is what I need')
  expect(toolsOf(bot.model.requests[0])).toEqual(expect.arrayContaining(['run_skill_script', 'install_skill_packages']))
  expect(toolsOf(bot.model.requests[0])).not.toContain('plan_exit')
  await bot.chat.say('plan', { conversation })
  await bot.chat.say('go on', { conversation })
  expect(toolsOf(bot.model.requests.at(-1))).toContain('plan_exit')
})
