import { counted } from '../../kit/text/shown.ts'
import { plainName } from '../../kit/text/text.ts'
import type { ProjectRef } from '../../store/sessions.ts'
import { noteRefusal } from '../../trust/refusals.ts'
import type { Command, CommandContext, CommandResult } from '../../turn/port/command.ts'
import { mostTools } from '../../turn/port/most-tools.ts'
import type { Services } from '../../turn/port/scope.ts'
import type { Named } from './login/login-of.ts'
import { whyNotDo } from './may.ts'
import { type InThread, knownPlaceOf, placeOf, whoseOf } from './place.ts'
import type { Running } from './running.ts'
import type { ServerStatus } from './status.ts'
import { plainWords } from './tools/describe.ts'
import { mcpWords } from './words.ts'

/** For a list of prompts: how long it may take, and how much of it is shown. */
const listMs = 20_000
const mostListed = 6_000
/** How many tools of a server are named. */
const mostNamed = 50

const pattern = /^(?:(login|logout|test|start|stop|prompts)\s+)?([A-Za-z0-9][A-Za-z0-9_-]{0,31})(?:\s+(\d{6}))?$/

/** `mcp`, `mcp tracker`, `mcp login tracker`, `mcp stop tracker`. */
export const mcpCommand = (bot: Services, running: () => Running | undefined): Command => ({
  name: 'mcp',
  summary: mcpWords.commandSummary(),
  argument: { name: 'server', pattern },
  about: 'channel',
  async run(context) {
    const servers = running()
    if (servers === undefined) return mcpWords.noServers()
    const all = servers.pool.status(context.project)
    if (context.argument === '') {
      const crowded = context.deps.toolbox.in(context.project).crowded.length
      const note = crowded === 0 ? [] : [mcpWords.crowded({ most: mostTools, crowded })]
      return [mcpWords.mcpServers(), ...all.map(lineOf), ...note, mcpWords.usage()].join('\n')
    }
    const [, action, name = '', code] = pattern.exec(context.argument.trim()) ?? []
    if (name === '') return mcpWords.usage()
    const server = servers.settings.servers.get(name)
    const status = all.find((one) => one.name === name)
    if (server === undefined || status === undefined) return mcpWords.unknownServer({ name })
    if (action === undefined) return described(status, servers, context.project)
    const { session } = context
    if (session === undefined) return mcpWords.threadNeeded()
    const named = { name, server, place: placeOf(server, session.thread) }
    const reason = await whyNotDo(action, named, { person: context.person, session }, bot)
    if (reason === undefined) {
      const isStarted = ['test', 'start', 'prompts'].includes(action) || (action === 'login' && code !== undefined)
      const needsFolder = isStarted && server.scope === 'session'
      const root = needsFolder ? (await context.deps.workspaces.open(session)).root : undefined
      return actions[action as keyof typeof actions](named, servers, { ...context, code, thread: { session, root } })
    }
    return {
      async act(tx) {
        await noteRefusal(tx, { session: session.id, about: { server: name } }, context.person, reason)
        return reason
      },
    }
  },
})

const lineOf = ({ name, state, tools, why }: ServerStatus): string =>
  `- \`${name}\` – ${state}, ${counted(tools, 'tool')}${why === '' ? '' : `: ${why}`}`

function described(status: ServerStatus, { catalog }: Running, where: ProjectRef): string {
  const tools = catalog.toolsIn(where).filter(({ server }) => server === status.name)
  const count = tools.length - mostNamed
  const more = count > 0 ? [`- ${mcpWords.andMore({ count })}`] : []
  return [lineOf(status).slice(2), ...tools.slice(0, mostNamed).map(({ name }) => `- \`${name}\``), ...more].join('\n')
}

type Asked = Pick<CommandContext, 'person' | 'deps'> & { code: string | undefined; thread: InThread }

const actions = {
  async prompts({ name, server }: Named, { pool, catalog }: Running, { deps, thread }: Asked): Promise<CommandResult> {
    const place = knownPlaceOf(server, thread.session.thread)
    // Nothing is known of one that has never started, so whoever asks is told why it can't.
    if (catalog.toolsOf(name, place).length === 0) await pool.test(name, thread)
    if (catalog.find(name, place, 'prompts')?.ours !== true) return mcpWords.promptsNotOffered({ name })
    const { content } = await pool.callByHand(name, 'prompts', {}, AbortSignal.timeout(listMs), thread)
    const text = content.flatMap((part) => (part.kind === 'text' ? [plainWords(part.text)] : [])).join('\n')
    return mcpWords.promptsOffered({ name, text: deps.store.mask(text).slice(0, mostListed) })
  },
  async test({ name }: Named, { pool }: Running, { thread }: Asked): Promise<CommandResult> {
    const { about, tools } = await pool.test(name, thread)
    return mcpWords.answersWith({ name, about: plainName(about), tools: counted(tools, 'tool') })
  },
  async start(named: Named, running: Running, asked: Asked): Promise<CommandResult> {
    return actions.test(named, running, asked)
  },
  async stop({ name, server }: Named, { pool }: Running, { thread }: Asked): Promise<CommandResult> {
    await pool.stopByHand(name, whoseOf(server, thread).owner)
    return mcpWords.stopped({ name })
  },
  async login(named: Named, running: Running, { person, code, thread }: Asked): Promise<CommandResult> {
    const { pool, logins, settings } = running
    if (code !== undefined) {
      await logins.confirm(named, person, code)
      await pool.stopServer(named.name, named.place)
      const { tools } = await pool.test(named.name, thread)
      return mcpWords.loggedInFor({ name: named.name, account: plainName(person.name), tools: counted(tools, 'tool') })
    }
    const url = await logins.begin(named, person)
    if (url === undefined) return mcpWords.loginNotNeeded({ name: named.name })
    const where = settings.logins.publicUrl === undefined ? ' in a browser on the machine I run on' : ''
    return mcpWords.loginInChat({ where, name: named.name, href: url.href })
  },
  async logout(named: Named, { pool, logOut }: Running): Promise<CommandResult> {
    const isRevoked = await logOut(named)
    await pool.stopServer(named.name, named.place)
    return isRevoked ? mcpWords.loggedOutRemotely({ name: named.name }) : mcpWords.loggedOut({ name: named.name })
  },
}
