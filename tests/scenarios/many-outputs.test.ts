import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import type { Exported } from '../../src/export/exported.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'

/** Writes so many files to outputs/. */
const make = defineTool({
  ...{ kind: 'run', name: 'make', description: 'Makes files.', effect: 'write' },
  input: z.strictObject({ folder: z.string(), count: z.number(), year: z.number().optional() }),
  async run({ folder, count, year }, { workspace }) {
    for (let at = 1; at <= count; at++) {
      const path = `outputs/${folder}/${at}.txt`
      await workspace.write(path, `${at}`)
      if (year !== undefined) await utimes(join(workspace.root, path), new Date(year, 0), new Date(year, 0))
    }
    return 'made'
  },
})

test('of more files than an answer brings, people are told, and the others don’t follow by themselves', async () => {
  const bot = await startTestBot({
    plugins: [{ name: 'make', tools: [make] }],
    config: { rules: { defaults: { read: 'allow', write: 'allow', external: 'allow' } } },
    script: [
      calls('make', { folder: 'a', count: 53 }),
      says('Here.'),
      says('Nothing new.'),
      calls('make', { folder: 'b', count: 1 }),
      says('One more.'),
    ],
  })
  const first = await bot.chat.say('make many')
  const complete = ofType(first.events, 'complete')[0]?.data
  expect(complete?.files).toHaveLength(50)
  expect(complete?.content).toBe(
    'Here.\n\n3 more files aren’t attached: an answer brings at most 50. Ask me for the ones you need, or for a zip file of all.',
  )
  const { conversation } = first
  const exported = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/export?format=json`)
  const { entries } = (await exported.json()) as Pick<Exported, 'entries'>
  expect(entries).toMatchObject([
    { text: 'make many' },
    { tool: 'make' },
    { text: complete?.content, files: complete?.files },
  ])
  const later = []
  for (const text of ['and?', 'make one'])
    later.push(ofType((await bot.chat.say(text, { conversation })).events, 'complete')[0]?.data)
  expect(later).toMatchObject([
    { content: 'Nothing new.', files: [] },
    { content: 'One more.', files: [{ path: 'outputs/b/1.txt' }] },
  ])
})

test('files beyond those are recorded without being read, and not posted later whatever time they bear', async () => {
  const bot = await startTestBot({
    plugins: [{ name: 'make', tools: [make] }],
    config: { rules: { defaults: { read: 'allow', write: 'allow', external: 'allow' } } },
    script: [
      calls('make', { folder: 'a', count: 53, year: 2090 }),
      says('Here.'),
      says('Nothing new.'),
      calls('make', { folder: 'a', count: 53, year: 2091 }),
      says('The same again.'),
    ],
  })
  const { conversation } = await bot.chat.say('make many')
  expect(rowsIn(bot.database, 'select type, count(*) as files from files group by type order by type')).toEqual([
    { type: 'application/octet-stream', files: 3 },
    { type: 'text/plain', files: 50 },
  ])
  expect(ofType((await bot.chat.say('and?', { conversation })).events, 'complete')[0]?.data.files).toEqual([])
  // Nobody knows whether those that nobody read are the same, so now they are attached.
  const again = ofType((await bot.chat.say('again', { conversation })).events, 'complete')[0]?.data.files
  expect(again).toHaveLength(3)
})
