import { expect, onTestFinished, test } from 'vitest'
import { family, long, requestsOf } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { type RequestBody, says } from '../support/model-server.ts'
import { saidIn } from './support.ts'

/** Who is nearest by the first of these that a text contains. */
const meanings = ['Comparing things', 'Which of the two', 'Writes and changes code', 'Fix the loop']
const vectorOf = (text: string) => {
  // As far from one as from the others.
  if (text.startsWith('Good morning')) return [1, 1, 1]
  const about = meanings.findIndex((one) => text.includes(one))
  return [0, 1, 2].map((axis) => (axis === (about < 0 ? 2 : Math.floor(about / 2)) ? 1 : 0.1))
}

const routes = { comparison: { for: 'Comparing things.', how: 'parallel', agents: ['explorer', 'reviewer'] } }

const agents = {
  explorer: { description: 'Finds its way.', prompt: 'Look around.' },
  reviewer: { description: 'Looks for faults.', prompt: 'Look closely.' },
  coder: { description: 'Writes and changes code.', prompt: 'Write it.', triggers: ['refactor'] },
}

async function started({ fails = () => false, ...more }: { fails?: () => boolean; by_meaning?: boolean } = {}) {
  const server = await startEmbeddingServer(vectorOf, () => (fails() ? { status: 400 } : undefined))
  onTestFinished(() => server.close())
  const bot = await startTestBot({
    script: (body: RequestBody) => family([], [(task) => says(long(`Seen: ${task}`))])(body) ?? says('Put together.'),
    environment: {
      MODEL_EMBEDDING_ID: 'text-embedding-3-small',
      MODEL_EMBEDDING_BASE_URL: server.url,
      MODEL_EMBEDDING_API_KEY: 'none',
    },
    config: { sections: { agents: { by_meaning: true, meaning_at_least: 0.9, routes, agents, ...more } } },
  })
  const say = async (text: string, conversation?: string) => {
    const { conversation: id } = await bot.chat.say(text, conversation === undefined ? {} : { conversation })
    return { id, told: await saidIn(bot.chat, id) }
  }
  const asked = () => server.requests.map(({ input }) => input)
  return { bot, say, asked }
}

test('with an embedding model, a request goes to whoever it is nearest to in meaning, and the thread is told why', async () => {
  const { bot, say, asked } = await started()
  const { told } = await say('Which of the two is better?')
  expect(told[0]).toContain('work on this side by side, because it looks like this: Comparing things.')
  expect(requestsOf(bot.model.requests, 'child')).toHaveLength(2)
  const [first] = asked()
  expect(first?.[0]).toBe('Which of the two is better?')
  // Triggers are part of what is compared, though words alone choose nobody.
  expect(first).toContain('Writes and changes code.\nrefactor')

  const coding = await say('Fix the loop, please.')
  expect(coding.told[0]).toContain('hands this thread to **coder**: it looks like this: Writes and changes code')
  // The agent has the thread, so nothing is compared.
  await say('Fix the loop again.', coding.id)
  const { told: plain } = await say('Good morning!')
  expect(plain).toEqual(['Put together.'])
  // What agents are for was sent once, and the base model was asked nothing.
  expect(asked().slice(1)).toEqual([['Fix the loop, please.'], ['Good morning!']])
  expect(bot.model.requests.filter((body) => `${body.messages[0]?.content}`.startsWith('Say which of these'))).toEqual(
    [],
  )

  await bot.restart()
  await say('Fix the loop.')
  expect(asked().at(-1)).toEqual(['Fix the loop.'])
})

test('an embedding model that fails keeps no turn from its answer; the next one is asked again', async () => {
  let down = true
  const { say, asked } = await started({ fails: () => down })
  expect((await say('Which of the two is better?')).told).toEqual(['Put together.'])
  down = false
  expect((await say('Which of the two is it?')).told[0]).toContain('Comparing things.')
  expect(asked().at(-1)?.length).toBeGreaterThan(2)
})

test('it is asked nothing unless that is configured', async () => {
  const { say, asked } = await started({ by_meaning: false })
  expect((await say('Which of the two is better?')).told).toEqual(['Put together.'])
  expect(asked()).toEqual([])
})
