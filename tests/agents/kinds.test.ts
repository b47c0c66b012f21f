import { expect, onTestFinished, test } from 'vitest'
import { family, long, requestsOf, resultsIn } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, says, startModelServer } from '../support/model-server.ts'

const agents = {
  ghost: { description: 'Haunts.', prompt: 'Haunt.', hidden: true, model: 'chat' },
  echo: { description: 'Echoes.', prompt: 'Echo.' },
}

test('a hidden agent with a model of its own is there for people, and for nobody else', async () => {
  const chat = await startModelServer(() => says('Boo.'))
  onTestFinished(() => chat.close())
  const task = { task: 'Haunt it.', agent: 'ghost' }
  const bot = await startTestBot({
    script: [calls('delegate_task', task), says('Nobody is there.'), says('Echoed.')],
    environment: { MODEL_CHAT_ID: 'chat', MODEL_CHAT_BASE_URL: chat.url, MODEL_CHAT_API_KEY: 'k' },
    config: { sections: { agents: { agents, hand_over: true } } },
  })
  const { conversation, text } = await bot.chat.say('go')
  expect(text).toBe('Nobody is there.')
  const [first, second] = bot.model.requests
  expect(JSON.stringify(first?.messages)).toContain('- echo: Echoes.')
  expect(JSON.stringify(first?.messages)).not.toContain('ghost')
  expect(first?.tools?.map((tool) => tool.function.name)).not.toContain('transfer_to_ghost')
  expect(resultsIn(second)[0]).toMatch(/There is no agent called ghost\. There are: echo/)
  expect((await bot.chat.say('@ghost hello', { conversation })).text).toBe('Boo.')
  // People have the last word on the model.
  await bot.chat.say('use base', { conversation })
  expect((await bot.chat.say('hello', { conversation })).text).toBe('Echoed.')
  expect(chat.requests).toHaveLength(1)
})

test('a subagent has the tools that people loaded into its thread, and the steps that its call says', async () => {
  const list = calls('list_files', { path: '.' })
  const ask = (max_steps: number) => calls('delegate_task', { task: 'Look around.', max_steps })
  const script = family([ask(51), ask(1), says('Done.')], [list, says(long('Seen.'))])
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('@run_script go')).text).toBe('Done.')
  const parents = requestsOf(bot.model.requests, 'parent')
  expect(resultsIn(parents[1])[0]).toContain('the arguments of delegate_task are not valid. max_steps')
  expect(resultsIn(parents[2])[1]).toMatch(
    /^\[subagent-[0-9a-f]{8}, 2 steps: it ran out of steps and may not be done\]\n\nSeen\./,
  )
  const children = requestsOf(bot.model.requests, 'child')
  for (const { tools } of children) expect(tools?.map((tool) => tool.function.name)).toContain('run_script')
  // The second is its last one.
  expect(children.map((body) => body.tool_choice)).toEqual([undefined, 'none'])
})

test('a subagent that runs out of steps counts as stopped among what its agent did', async () => {
  const script = family(
    [calls('delegate_task', { task: 'Look around.', agent: 'explorer', max_steps: 1 }), says('Done.')],
    [calls('list_files', {}), says(long('Seen a part.'))],
  )
  const bot = await startTestBot({ script })
  expect((await bot.chat.say('go')).text).toBe('Done.')
  expect(await bot.chat.get('/agents/explorer')).toMatchObject({ runs: 1, success_rate: 0, stopped: 1 })
})
