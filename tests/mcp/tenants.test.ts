import { expect, test } from 'vitest'
import { mcpFindings } from '../../src/capabilities/mcp/checks.ts'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { mcpCommand } from '../../src/capabilities/mcp/terminal.ts'
import { settingsIn } from '../../src/config/section.ts'
import { directTenant } from '../../src/domain/chat.ts'
import { printedBy } from '../commands/support.ts'
import { freePort } from '../support/free-port.ts'
import { type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { guarded } from './guarded.ts'
import { shippedMcp, untilKnown } from './support.ts'

/** A bot in several workspaces, with a server that tells each login from the others. */
async function open(server: object, rules: object = {}) {
  const { url, answering, good, hello, revoked } = await guarded()
  const tokens: string[] = []
  answering.with = (token) => `account ${tokens.includes(token) ? tokens.indexOf(token) + 1 : tokens.push(token)}`
  const sections = {
    mcp_servers: {
      servers: { x: { url, ...server } },
      limits: { ...shippedMcp },
      logins: { port: await freePort() },
    },
  }
  const script = ({ messages }: RequestBody) => {
    const { role, content } = messages.at(-1) ?? {}
    const [, tool = 'whoami'] = /use (\w+)/.exec(`${content}`) ?? []
    return role === 'tool' ? says(`It says: ${content}`) : calls(`mcp__x__${tool}`, {})
  }
  const bot = await startMemoryBot({ script, config: { rules: { approvals: false, ...rules }, sections } })
  const { memory } = bot
  const say = async (text: string, to: { in?: Message; tenant?: string; person?: string; direct?: boolean }) => {
    const { person = 'ana', ...where } = to
    const before = to.in === undefined ? 0 : memory.answers(to.in).length
    const message = await memory.say(person, `@bobbin ${text}`, where)
    const thread = to.in ?? message
    await memory.eventually(() => expect(memory.answers(thread).length).toBeGreaterThan(before))
    return { thread, answer: memory.answers(thread).at(-1) ?? '' }
  }
  const logInAt = async (tenant: string) => {
    const { thread, answer } = await say('mcp login x', { tenant })
    const [address = ''] = /http\S+$/.exec(answer) ?? []
    const [, code = ''] = /mcp login x (\d{6})/.exec(await (await fetch(address)).text()) ?? []
    return (await say(`mcp login x ${code}`, { in: thread })).answer
  }
  return { bot, say, logInAt, good, hello, revoked, answering, tokens }
}

const isIn = 'I’m logged in to x with ana’s account. It has 1 tool.'

test('each workspace has a login of its own to a server of its own, and a login from before is nobody’s', async () => {
  const { bot, say, logInAt, revoked } = await open({ scope: 'tenant' })
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  await logIn({ name: 'x', server }, bot.config, settings, { show: (address) => void fetch(address) })
  await bot.restart()
  await untilKnown(bot.chat)

  const ask = async (tenant: string) => (await say('who?', { tenant })).answer
  expect(await ask('one')).toMatch(/It says: .*mcp login x` to me in a thread\./s)
  expect(await logInAt('one')).toBe(isIn)
  expect(await ask('one')).toContain('account 2')
  expect(await ask('two')).toMatch(/It says: .*mcp login x` to me in a thread\./s)
  expect(await logInAt('two')).toBe(isIn)
  expect(await ask('two')).toContain('account 3')

  await bot.restart()
  expect(await ask('one')).toContain('account 2')
  expect((await say('mcp logout x', { tenant: 'two' })).answer).toContain('has revoked the login')
  expect(revoked).toHaveLength(2)
  expect(await ask('one')).toContain('account 2')
  expect(await ask('two')).toMatch(/It says: .*mcp login x` to me in a thread\./s)
})

test('what a server lists for the account of one workspace is nothing to another', async () => {
  const { bot, say, logInAt, answering, tokens } = await open({ scope: 'tenant' })
  const also = [
    { look: 'Looks up acme.', crm_acme: 'Finds customers.' },
    { look: 'Looks up beta.', mail_beta: 'Finds mail.' },
  ]
  answering.also = (token) => {
    answering.with?.(token)
    return also[tokens.indexOf(token)] ?? {}
  }
  expect(await logInAt('one')).toContain('It has 3 tools.')
  expect(await logInAt('two')).toContain('It has 3 tools.')
  const offered = async (tenant: string) => {
    const { answer } = await say('use look', { tenant })
    const tools = bot.model.requests.at(-1)?.tools?.map((tool) => tool.function) ?? []
    const own = tools.filter(({ name }) => name.startsWith('mcp__x__'))
    return [answer, ...own.map(({ name, description }) => `${name} ${description?.split(': ').at(-1)}`).sort()]
  }
  const ofOne = ['mcp__x__crm_acme Finds customers.', 'mcp__x__look Looks up acme.']
  const ofTwo = ['mcp__x__look Looks up beta.', 'mcp__x__mail_beta Finds mail.']
  const looksRight = async () => {
    expect(await offered('one')).toEqual([expect.stringMatching(/^It says: .*look/s), ...ofOne, expect.any(String)])
    expect(await offered('two')).toEqual([expect.stringMatching(/^It says: .*look/s), ...ofTwo, expect.any(String)])
    expect((await say('use crm_acme', { tenant: 'one' })).answer).toContain('crm_acme')
    expect((await say('use crm_acme', { tenant: 'two' })).answer).toContain('there is no tool "mcp__x__crm_acme"')
  }
  await looksRight()
  for (const command of ['mcp x', 'tools']) {
    const { answer } = await say(command, { tenant: 'two' })
    expect(answer).toContain('mcp__x__mail_beta')
    expect(answer).not.toContain('acme')
  }
  const known = await bot.chat.get<{ tools: { name: string }[] }>('/mcp/servers/x/tools')
  expect(known.tools.map(({ name }) => name)).toEqual(['whoami', 'look', 'crm_acme', 'mail_beta'])
  await bot.restart()
  await looksRight()
})

test('a server that only one workspace knows is still asked for the others, who aren’t told of the one for nobody', async () => {
  const { bot, say, logInAt, hello } = await open({ scope: 'tenant' })
  expect(await logInAt('one')).toBe(isIn)
  await bot.restart()
  const listsIt = (as: string) =>
    bot.memory.eventually(async () => expect((await say('mcp', { tenant: 'two' })).answer).toContain(as))
  await listsIt('`x` – failed, 0 tools: ')
  expect((await say('mcp', { tenant: 'one' })).answer).toContain('`x` – stopped, 1 tool\n')

  Object.assign(hello, { toAnybody: true, listsToAnybody: true })
  await bot.restart()
  await listsIt('`x` – stopped, 1 tool\n')
  expect((await say('who?', { tenant: 'two' })).answer).toContain('The server requires a login.')
})

/** What people whom no rule names can't do with what all share. */
const refused = {
  login: 'change an MCP login that is shared with others',
  logout: 'change an MCP login that is shared with others',
  stop: 'stop an MCP server that is shared with others',
  prompts: 'list the prompts of an MCP server that is shared with others',
}

test('once a second workspace uses the bot, only people whom the rules name change what all share', async () => {
  const owners = { who: ['participants', 'user:cleo'], asker: true, needed: 1 }
  const { say, logInAt } = await open({}, { deciders: { team: owners } })
  expect(await logInAt('one')).toBe(isIn)
  expect((await say('who?', { tenant: 'two' })).answer).toContain('account 1')
  for (const [action, what] of Object.entries(refused))
    expect((await say(`mcp ${action} x`, { tenant: 'two' })).answer).toBe(`Only the operator or user cleo can ${what}.`)
  // Other things are done as before.
  expect((await say('mcp test x', { tenant: 'two' })).answer).toContain('answers, and has 1 tool')
  expect((await say('mcp stop x', { tenant: 'two', person: 'cleo' })).answer).toContain('x is stopped.')
  const byCleo = await say('mcp logout x', { tenant: 'two', person: 'cleo' })
  expect(byCleo.answer).toContain('the server has revoked the login')
})

test('the rules name who logs in, apart from who decides on calls', async () => {
  const deciders = {
    team: { who: ['participants'], asker: true, needed: 1 },
    owners: { who: ['user:cleo'], asker: true, needed: 1 },
  }
  const { say } = await open({}, { deciders, tools: { mcp: { approvals: true, risk: 'medium', decider: 'owners' } } })
  expect((await say('mcp login x', { tenant: 'one' })).answer).toBe('Only user cleo can change MCP servers.')
  expect((await say('mcp login x', { tenant: 'one', person: 'cleo' })).answer).toContain('Open this address')
})

test('strangers can’t change what all share in their direct messages, which keep nobody else from it', async () => {
  const { say, logInAt } = await open({})
  const alone = { tenant: directTenant, direct: true, person: 'mallory' }
  for (const [action, what] of Object.entries(refused))
    expect((await say(`mcp ${action} x`, alone)).answer).toBe(`Only the operator can ${what}.`)
  expect(await logInAt('one')).toBe(isIn)
  expect((await say('who?', alone)).answer).toContain('account 1')
})

test('where each thread has a server of its own, a thread stops only that one', async () => {
  const { bot, say, logInAt } = await open({ scope: 'session' })
  expect(await logInAt('one')).toBe(isIn)
  const { thread, answer } = await say('mcp test x', { tenant: 'two' })
  expect(answer).toContain('answers, and has 1 tool')
  const running = async () => (await bot.chat.get<{ running: number }>('/mcp/servers/x')).running
  expect(await running()).toBe(2)
  expect((await say('mcp stop x', { in: thread })).answer).toContain('x is stopped.')
  expect(await running()).toBe(1)
})

test('the tokens of every workspace are masked, however many have a login', async () => {
  const { bot, say, logInAt, good } = await open({ scope: 'tenant' })
  const workspaces = ['one', 'two', 'three', 'four', 'five']
  for (const tenant of workspaces) expect(await logInAt(tenant)).toBe(isIn)
  expect(good.size).toBe(workspaces.length)
  const mask = '[secret: the bot’s own x access token]'
  const saysAll = async () => {
    await say(`Is it ${[...good].join(' or ')}?`, { tenant: 'one' })
    const heard = bot.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')
    expect(heard?.content).toContain(`Is it ${workspaces.map(() => mask).join(' or ')}?`)
  }
  await saysAll()
  await bot.restart()
  await saysAll()
})

test('where each workspace has a login of its own, the terminal, checks and the list say so', async () => {
  const { bot, say, logInAt } = await open({ scope: 'tenant', lazy_startup: false })
  const settings = settingsIn(bot.config, mcpSection)
  const lines = async () => (await say('mcp', { tenant: 'one' })).answer
  await bot.memory.eventually(async () => expect(await lines()).toContain('it wants somebody to log in'))
  expect(await logInAt('one')).toBe(isIn)
  expect(await lines()).toContain('`x` – running, 1 tool\n')

  const remedy =
    'Each workspace logs in for itself, in a thread. For checks and calls by hand, run `bobbin mcp login x`.'
  const findings = await Array.fromAsync(mcpFindings(bot.config, settings))
  expect(findings).toEqual([{ mark: 'mind', fact: 'x wants a login, so its tools weren’t checked.', remedy: [remedy] }])
  const none = async () => undefined
  const terminal = (action: string) => printedBy(() => mcpCommand([action, 'x'], bot.config, settings, none))
  expect((await terminal('test')).err).toContain(remedy)
  const loggedIn = await printedBy(async () => {
    const print = process.stdout.write
    process.stdout.write = ((text: string) => {
      const [address] = /http\S+authorize\S+/.exec(text) ?? []
      if (address !== undefined) void fetch(address)
      return print(text)
    }) as typeof print
    return mcpCommand(['login', 'x'], bot.config, settings, none)
  })
  const own = 'Each workspace has a login of its own, which is changed in its threads.\n'
  expect(loggedIn.out).toMatch(new RegExp(`\\nLogged in to x, for checks and calls by hand\\. ${own}$`))
  expect((await terminal('logout')).out).toBe(`The login of x is deleted, and the server has revoked it. ${own}`)
})
