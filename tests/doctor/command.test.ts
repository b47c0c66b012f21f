import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { slackScopes } from '../../src/config/manifests.ts'
import { permissions } from '../../src/platforms/discord/api/needs.ts'
import { bobbinHere } from '../commands/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { startDiscordServer } from '../support/discord/server.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { startModelServer } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { eventually } from '../support/until.ts'
import { emptyDirectory } from './support.ts'

const bin = resolve(import.meta.dirname, '../../src/bin.js')

async function doctor(environment: Record<string, string>, ...args: string[]) {
  const home = await emptyDirectory()
  return await bobbinHere(home, 'doctor', ...args, { BOBBIN_HOME: home, ...environment })
}

/** As an operator runs it: in a process and a directory of its own. */
async function doctorElsewhere(environment: Record<string, string>, ...args: string[]) {
  const cwd = await emptyDirectory()
  const child = spawn(process.execPath, [bin, 'doctor', ...args], {
    cwd,
    env: { PATH: process.env.PATH, BOBBIN_HOME: cwd, BOBBIN_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err: error, code }
}

async function everything() {
  const [slack, discord, model] = await Promise.all([
    startSlackServer({ scopes: slackScopes() }),
    startDiscordServer({ permissions }),
    startModelServer([]),
  ])
  onTestFinished(async () => void (await Promise.all([slack.close(), discord.close(), model.close()])))
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
    MODEL_BASE_API_KEY: 'sk-of-the-model-7Qz9fLw2',
    MODEL_BASE_BASE_URL: model.url,
    MODEL_BASE_ID: 'gpt-test',
  }
  const secrets = [slack.botToken, slack.appToken, discord.token, 'sk-of-the-model-7Qz9fLw2']
  return { slack, discord, environment, secrets }
}

test('with everything set up right it exits with 0, posts nothing and shows no token', async () => {
  const { slack, discord, environment, secrets } = await everything()
  const { out, err, code } = await doctorElsewhere(environment)
  expect({ err, code }).toEqual({ err: '', code: 0 })
  for (const title of ['Configuration', 'This machine', 'Data', 'Model', 'Slack', 'Discord', 'Sandbox', 'Documents']) {
    expect(out).toMatch(new RegExp(`^${title}$`, 'm'))
  }
  expect(out).toContain('No errors')
  expect(out).not.toContain('✗')
  for (const secret of secrets) expect(out).not.toContain(secret)
  expect(slack.callsTo('chat.postMessage')).toEqual([])
  expect(discord.calls.filter(({ method }) => method !== 'GET')).toEqual([])
})

/** The doctor's report while a bot runs on the same data, perhaps with other settings. */
async function doctorBeside(bot: TestBot, environment: Record<string, string>) {
  const { port } = new URL(bot.chat.url)
  return bobbinHere(bot.dataDir, 'doctor', { ...environment, BOBBIN_HOME: bot.dataDir, BOBBIN_PORT: port })
}

test('a bot that was started before the tokens were there is to be restarted, and they are tried', async () => {
  const { slack, environment } = await everything()
  const bot = await startTestBot()
  const { out } = await doctorBeside(bot, environment)
  for (const platform of ['Slack', 'Discord'])
    expect(out).toContain(`! The bot is running, but isn’t connected to ${platform}.\n      Stop it and start it again`)
  expect(out).toContain('✓ Socket Mode works')
  slack.misbehave.refuse('apps.connections.open', 'invalid_auth')
  expect((await doctorBeside(bot, environment)).out).toContain('✗ Slack doesn’t recognise the app token')
})

test('a bot that is connected keeps its connection, whatever port it has', async () => {
  const { slack, environment } = await everything()
  const bot = await startTestBot({ environment })
  const readiness = async () => (await fetch(new URL('/readyz', bot.chat.url))).json()
  await eventually(async () => expect(await readiness()).toMatchObject({ ready: true }))
  const { out } = await doctorBeside(bot, environment)
  expect(out).toContain('✓ The bot is running and connected to Slack, so no second connection is tried.')
  expect(out).toContain('✓ The bot is running and connected to Discord.')

  const other = await startTestBot()
  const { port } = new URL(other.chat.url)
  const elsewhere = await bobbinHere(bot.dataDir, 'doctor', { ...environment, BOBBIN_PORT: port })
  expect(elsewhere.out).toContain('✓ The bot is running and connected to Slack')
  expect(elsewhere.out).toContain(`✗ A Bobbin with another data directory listens on 127.0.0.1:${port}.`)
  expect(slack.sockets.made).toBe(1)
})

test('a problem makes it exit with 1, and still shows no token', async () => {
  const { slack, environment, secrets } = await everything()
  slack.misbehave.revokeToken()
  const { out, code } = await doctor({ ...environment, DISCORD_TOKEN: 'MTAw.wrong.token-that-opens-nothing' })
  expect(code).toBe(1)
  expect(out).toContain('✗ Slack doesn’t accept SLACK_BOT_TOKEN: the bot token was revoked')
  expect(out).toContain('✗ Discord doesn’t recognise the token')
  expect(out).toMatch(/2 broken \(✗\)/)
  for (const secret of [...secrets, 'MTAw.wrong.token-that-opens-nothing']) expect(out).not.toContain(secret)
})

test.each([
  ['C0123ABCD', 'Slack'],
  ['123456789012345678', 'Discord'],
])('a probe to %s without %s is a fault', async (channel, platform) => {
  const { code, out } = await doctor({}, '--probe', channel)
  expect(code).toBe(1)
  expect(out).toContain(`✗ Nothing was posted to ${channel}: ${platform} isn’t connected.`)
})

test('a probe goes to the channel’s platform', async () => {
  const { slack, discord, environment } = await everything()
  const posted = () => [slack, discord].map(({ calls }) => calls.filter((call) => isPost(call)).length)
  const isPost = ({ method }: { method: string }) => method === 'chat.postMessage' || method === 'POST'
  expect((await doctor(environment, '--probe', slack.channel('general'))).out).toContain('and deleted.')
  expect(posted()).toEqual([1, 0])
  expect((await doctor(environment, '--probe', discord.channels.general ?? '')).out).toContain('and deleted.')
  expect(posted()).toEqual([1, 1])
})

test('configuration errors are reported with the remedy, mixed-up tokens by name', async () => {
  const { out, code } = await doctor({
    SLACK_BOT_TOKEN: 'xapp-1-secret',
    SLACK_APP_TOKEN: 'xoxb-secret',
    BOBBIN_PORT: 'x',
  })
  expect(code).toBe(1)
  expect(out).toContain('✗ The two Slack tokens are swapped.')
  expect(out).toMatch(/✗ environment: BOBBIN_PORT isn’t a port\.\n {6}Use a number/)
  expect(out).toContain('✓ Bobbin')
  expect(out).not.toContain('secret')
})

test('slips in .env are named, and no values', async () => {
  const home = await emptyDirectory()
  const slips = 'MODEL_BASE_KEY=sk-of-the-model\nBOBBIN_PORT 3000\nBOBBIN_HOME=/srv\nMINE="two\nlin#es"\n'
  await writeFile(
    join(home, '.env'),
    `# Ours\nMODEL_CODE_TEMPERATURE=1\n${slips}IMAP_PASSWORD=pa#ss\nIMAP_USER=bobbin # a comment\nIMAP_HOST='a#b'\n`,
  )
  const { out } = await bobbinHere(home, 'doctor', { BOBBIN_HOME: home })
  expect(out).toContain('! .env sets MODEL_BASE_KEY, which nothing reads.\n      Did you mean MODEL_BASE_API_KEY?')
  expect(out).toContain('! Line 4 of .env sets nothing.')
  expect(out).toContain('! BOBBIN_HOME has no effect in .env')
  expect(out).toContain('! In line 8 of .env, what follows # is left out.\n      Put the value in quotes')
  expect(out.match(/\.env sets|of \.env/g)).toHaveLength(3)
  expect(out).not.toContain('sk-of-the-model')
})

test('a platform that isn’t set up is no error', async () => {
  const { out, code } = await doctor({})
  expect(code).toBe(0)
  expect(out.match(/Not connected\. See README\.md\./g)).toHaveLength(2)
  expect(out).toContain('! The practice model answers')
})

test('an unknown option is rejected', async () => {
  const { err, code } = await doctor({}, '--fix')
  expect(code).toBe(2)
  expect(err).toContain('doctor [--probe <channel id>]')
})

// Which these are, tests/secrets/own.test.ts holds.
test.each(['ollama', 'changeme-changeme'])(
  'a key that only stands for one is warned of, and taken out of no text: %s',
  async (key) => {
    const { environment } = await everything()
    const { out, code } = await doctor({ ...environment, MODEL_BASE_API_KEY: key })
    expect(code).toBe(0)
    expect(out).toContain('! The model key looks like a placeholder')
    expect(out).not.toContain('***')
  },
)

test('each slot is called, and what is assumed of its model is said', async () => {
  const { environment } = await everything()
  const deaf = await startModelServer([])
  await deaf.close()
  const { out, code } = await doctor({
    ...environment,
    MODEL_BASE_ID: 'gpt-4o',
    MODEL_REASONING_ID: 'thinker',
    MODEL_CODE_ID: 'coder',
    MODEL_CODE_BASE_URL: deaf.url,
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^Model\n {2}✓ The model gpt-4o answers\.\n {2}✓ gpt-4o has 128,000 tokens/m)
  expect(out).toMatch(/^Model for reasoning\n {2}✓ The model thinker answers\.\n {2}! thinker isn’t listed/m)
  expect(out).toMatch(/^Model for code\n {2}✗ The model coder doesn’t answer\./m)
  expect(out).toContain('MODEL_CODE_BASE_URL')
})

test('the embedding model is asked for a vector', async () => {
  const server = await startEmbeddingServer(() => [1, 2, 3])
  onTestFinished(() => server.close())
  const environment = {
    MODEL_EMBEDDING_API_KEY: 'sk-of-vectors-7Qz9fLw2',
    MODEL_EMBEDDING_BASE_URL: server.url,
    MODEL_EMBEDDING_ID: 'vec',
    MODEL_EMBEDDING_PRICE_INPUT: '0.02',
  }
  const { out } = await doctor(environment)
  expect(out).toContain('✓ The embedding model vec answers, with 3 dimensions.')
  expect(out).toContain('✓ A million tokens cost $0.02.')
  const wrong = await doctor({ ...environment, MODEL_EMBEDDING_DIMENSIONS: '4' })
  expect(wrong.code).toBe(1)
  expect(wrong.out).toContain('✗ The embedding model vec doesn’t answer. Passages are found by their words only.')
  expect(wrong.out).not.toContain('sk-of-vectors')
})
