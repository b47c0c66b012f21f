import { expect, onTestFinished, test } from 'vitest'
import { hang, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { type Shown, startSlackServer } from '../support/slack/server.ts'
import { eventually, until } from '../support/until.ts'
import { openNodes } from './support.ts'

/** Nobody is taken for lost, and nothing is found by the sweep: whoever ends has to tell the others. */
const settings = { engine: { silent_ms: 600_000, sweep_ms: 600_000 } }

async function open() {
  const slack = await startSlackServer({ redeliveryMs: [150, 150, 150] })
  onTestFinished(async () => {
    await slack.close()
    expect(slack.violations).toEqual([])
  })
  const environment = {
    ...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken },
    SLACK_API_URL: slack.apiUrl,
  }
  const nodes = await openNodes({ settings, environment })
  const answers = (ts: string): string[] =>
    slack.view('general', ts).flatMap((shown) => (shown.user === slack.bot.id ? proseOf(shown) : []))
  return { slack, ...nodes, answers }
}

const proseOf = ({ blocks, text, streaming }: Shown): string[] => {
  if (streaming || JSON.stringify(blocks).includes('in_progress')) return []
  const prose = blocks.filter(({ type }) => type === 'markdown').map((block) => String(block.text))
  return [prose.length === 0 ? text : prose.join('\n')]
}

test('a turn of a node that is told to end is continued at once, in the same message, and answered once', async () => {
  const { slack, place, answers } = await open()
  let asked = 0
  const script = () => (asked++ === 0 ? hang(3) : says('Done.'))
  const homes = await Promise.all(['one', 'two'].map((name) => place(name, { script })))
  const lives = await Promise.all(homes.map((home) => home.start()))
  const mention = slack.people.mention('ana', 'general', 'go')
  await slack.until(() => slack.view('general', mention).length > 1)
  const first = lives[homes.findIndex(({ model }) => model.requests.length > 0)]
  first?.signal('SIGTERM')
  await until('the answer', async () => answers(mention).includes('Done.'))
  expect(await first?.ended).toBe(0)
  expect(slack.view('general', mention)).toHaveLength(2)
  expect(homes.map(({ model }) => model.requests.length)).toEqual([1, 1])
})

const echo = ({ messages }: RequestBody) =>
  heldUntil(
    new Promise((resolve) => setTimeout(resolve, 300)),
    says(`Answer to ${/question (\d+)/.exec(JSON.stringify(messages.at(-1)))?.[1]}`),
  )

test('all nodes are replaced one after the other while people ask: everybody is answered once', async () => {
  const { slack, place, answers } = await open()
  const homes = await Promise.all(['one', 'two'].map((name) => place(name, { script: echo })))
  let lives = await Promise.all(homes.map((home) => home.start()))
  const asked: string[] = []
  const ask = () => {
    // A busy machine would never catch up with more.
    if (asked.filter((ts) => answers(ts).length === 0).length > 10) return
    asked.push(slack.people.mention('ana', 'general', `question ${asked.length}`))
  }
  const asking = setInterval(ask, 250)
  onTestFinished(() => clearInterval(asking))
  for (const [place, home] of homes.entries()) {
    const before = asked.length
    await until('some questions', async () => asked.length > before + 3)
    const old = lives[place]
    old?.signal('SIGTERM')
    expect(await old?.ended).toBe(0)
    lives = lives.with(place, await home.start())
  }
  clearInterval(asking)
  await eventually(() => {
    for (const [number, ts] of asked.entries()) expect(answers(ts)).toEqual([`Answer to ${number}`])
  })
  await slack.idle()
  for (const [number, ts] of asked.entries()) expect(answers(ts)).toEqual([`Answer to ${number}`])
})
