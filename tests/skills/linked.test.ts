import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'

/** Has files of a skill in use, as a command that was decided on with them, while the skills are to be placed anew. */
function using(path: string) {
  const over = Promise.withResolvers<void>()
  const use = defineTool({
    ...{ kind: 'run', name: 'use', description: 'Uses.', input: z.strictObject({}), effect: 'write' },
    async run(_, { workspace }) {
      for (const name of ['docx', 'pdf']) rmSync(join(workspace.root, 'skills', name), { recursive: true })
      void workspace.holding([path], () => over.promise)
      return 'in use'
    },
  })
  return { plugin: { name: 'using', tools: [use] } satisfies Capability, over }
}

test('a skill whose files are in use keeps no other one from being linked, nor a new one from being loaded', async () => {
  const { plugin, over } = using('skills/docx/SKILL.md')
  const read = (name: string) => ['read_file', { path: `skills/${name}/SKILL.md` }] as [string, object]
  const script = [
    calls('use', {}),
    calls(...read('docx'), read('pdf')),
    calls('skill', { name: 'xlsx' }),
    says('Read.'),
    calls(...read('docx')),
    says('Read.'),
  ]
  const rules = { defaults: { read: 'allow', write: 'allow', external: 'allow' } } as const
  const config = { rules, agent: { parallelCalls: 1 } }
  const bot = await startTestBot({ plugins: [plugin], config, script })
  const { conversation, events } = await bot.chat.say('Use @docx and @pdf.')
  expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done', 'failed', 'done', 'done'])
  over.resolve()
  const later = await bot.chat.say('again', { conversation })
  expect(ofType(later.events, 'observe').map(({ data }) => data.status)).toEqual(['done'])
})
