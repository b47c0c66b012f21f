import { readdirSync, readFileSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Given } from '../../src/domain/question.ts'
import type { Request } from '../../src/domain/request.ts'
import type { ClickOutcome } from '../../src/platforms/inbound-sink.ts'
import { namesBot, toHeard } from '../support/memory/heard.ts'
import { type Message, memoryName, pageOf, wordsOf } from '../support/memory/world.ts'
import { until } from '../support/until.ts'
import type { HostileBot } from './bot.ts'
import type { Hit, Lab } from './lab.ts'
import { marked, type Scenario } from './scenario.ts'

/** On a starved machine, folders hundreds deep take minutes. */
const restMs = 900_000
/** Several scenarios wait at once. */
const lookEveryMs = 40

/** One call and the result that the model read. */
export interface Call {
  tool: string
  arguments: string
  state: string
  result: string
}

export interface SayOptions {
  in?: Message
  name?: string
  files?: Record<string, string>
  bot?: boolean
  /** In another channel of the same scenario. */
  beside?: string
  /** The bot isn't notified. */
  silent?: boolean
  quotesOthers?: true
  /** The question whose form it comes from. */
  answers?: Request['id']
}

/** One scenario's world: what happens in its channel, and the traces it leaves elsewhere. */
export class World {
  readonly scenario: Scenario
  readonly bot: HostileBot
  readonly lab: Lab
  first: Message | undefined
  /** Free for the scenario's own use. */
  readonly notes = new Map<string, string>()

  constructor(scenario: Scenario, bot: HostileBot, lab: Lab) {
    this.scenario = scenario
    this.bot = bot
    this.lab = lab
  }

  get id(): string {
    return this.scenario.id
  }
  get channel(): string {
    return `${this.id}${this.scenario.channel ?? ''}`
  }
  /** An address of the public server. */
  url = (path = '/', kind = 'site') => `http://${this.id}.${kind}.example:${this.lab.publicPort}${path}`

  async say(person: string, text: string, { in: thread, name = person, files = {}, ...how }: SayOptions = {}) {
    const message = this.bot.place.add({
      thread: thread?.thread ?? {
        platform: memoryName,
        tenant: 'team',
        project: how.beside === undefined ? this.channel : `${this.channel}/${how.beside}`,
      },
      author: how.bot ? 'bot' : 'person',
      person: { id: person, name },
      text,
      files: Object.entries(files).map(([file, content]) => ({ id: crypto.randomUUID(), name: file, content })),
      mentioned: namesBot(text),
      direct: false,
      quotesOthers: how.quotesOthers,
      key: undefined,
      pages: [],
    })
    if (how.silent !== true)
      await this.bot.sink().hear({ ...toHeard(message), ...(how.answers && { answers: how.answers }) })
    return message
  }

  sessions(): string[] {
    return this.bot
      .rows(
        "select id from sessions where project = ? or project like ? || '/%' order by created_at",
        this.channel,
        this.channel,
      )
      .map(({ id }) => `${id}`)
  }

  #where = (): string =>
    `in (${this.sessions()
      .map((id) => `'${id}'`)
      .join(',')})`

  /** Waits until the scenario has ended or waits for people. */
  async rest(): Promise<void> {
    const end = Date.now() + restMs
    for (;;) {
      const where = this.#where()
      const under = this.bot.rows(
        `select 1 from turns where session_id ${where} and state = 'running'
         union all select 1 from inbox where session_id ${where} and state = 'pending' and kind <> 'message'
         union all select 1 from inbox i where session_id ${where} and state = 'pending' and kind = 'message'
           and not exists (select 1 from turns t where t.session_id = i.session_id and t.state = 'waiting')
         union all select 1 from outbox where session_id ${where} and state = 'pending'`,
      )
      if (under.length === 0) return
      if (Date.now() > end) throw new Error(`it did not come to rest within ${restMs} ms`)
      await sleep(lookEveryMs)
    }
  }

  /** How many turns alarms have started. */
  wakings = (): number =>
    this.bot.rows(`select 1 from inbox where session_id ${this.#where()} and kind = 'alarm'`).length
  /** Lets half a minute pass, and waits for the turn that an alarm starts. Needs a bot of its own. */
  async woken(): Promise<void> {
    await this.rest()
    this.bot.clock.pass(31_000)
    await until('an alarm', () => this.wakings() > 0)
    await this.rest()
  }

  /** Rows from the database, parsed. */
  requests(state?: string): Request[] {
    const rows = this.bot.rows(`select * from requests where session_id ${this.#where()} order by asked_at`)
    return rows
      .filter((row) => state === undefined || row.state === state)
      .map((row) => {
        const { payload, answer, decided, ...rest } = row
        const parsed = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : undefined)
        const fields = { payload: parsed(payload), answer: parsed(answer), decided: parsed(decided) }
        return { ...rest, ...fields, call: rest.call_id, session: rest.session_id } as unknown as Request
      })
  }

  click(person: string, request: Pick<Request, 'id'>, given: Given, project = this.channel): Promise<ClickOutcome> {
    const by = { person: { id: person, name: person }, tenant: 'team', project }
    return this.bot.sink().answer(request.id, given, by)
  }

  calls(): Call[] {
    const rows = this.bot.rows(
      `select tool, arguments, state, result from calls where session_id ${this.#where()} order by proposed_at, place`,
    )
    return rows.map((row) => ({
      tool: `${row.tool}`,
      arguments: `${row.arguments}`,
      state: `${row.state}`,
      result: `${row.result ?? ''}`,
    }))
  }

  /** Everything the model read. */
  results = (): string =>
    this.calls()
      .map(({ result }) => result)
      .join('\n')

  /** Everything the model was sent in this channel, except the arguments of its own calls. */
  sent = (): string =>
    this.bot.modelRequests
      .filter(({ channel }) => channel === this.id)
      .map(({ body }) => JSON.stringify(body.messages.map(({ role, content }) => ({ role, content }))))
      .join('\n')

  /** The texts in the model's last request. */
  lastSent(): string[] {
    const last = this.bot.modelRequests.findLast(({ channel }) => channel === this.id)
    return (last?.body.messages ?? []).map(({ content }) =>
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }

  /** What the bot shows in this channel. */
  shown = (): Message[] =>
    this.bot.place.messages.filter(({ author, thread }) => author === 'self' && thread.project === this.channel)
  answers = (): string[] => this.shown().flatMap((one) => wordsOf(pageOf(one)) ?? [])

  /** Every row of its sessions, except the arguments of calls. */
  stored(): string {
    const where = this.#where()
    const tables = this.bot
      .rows(
        `select name from sqlite_schema where type = 'table'
          and exists (select 1 from pragma_table_info(sqlite_schema.name) as one where one.name = 'session_id')`,
      )
      .map(({ name }) => `${name}`)
    const rows = tables.map((table) => {
      const all = this.bot.rows(`select * from ${table} where session_id ${where}`)
      // Arguments are stored exactly as the model sent them, because they are what runs.
      return all.map(({ arguments: _, calls: __, ...row }) => row)
    })
    const steps = `select * from plan_steps where plan_id in (select id from plans where session_id ${where})`
    return JSON.stringify([rows, this.bot.rows(steps), this.bot.rows(`select title from sessions where id ${where}`)])
  }

  hits = (where?: Hit['where']): Hit[] =>
    this.lab.hits.filter(
      (hit) => (where === undefined || hit.where === where) && `${hit.host} ${hit.path}`.includes(this.id),
    )
  asked = (): string[] => this.lab.asked.filter((name) => name.includes(this.id))

  workspace = (session = this.sessions()[0] ?? ''): string => join(this.bot.dataDir, 'workspace', session)
  file = (path: string): Promise<string | undefined> =>
    readFile(join(this.workspace(), path), 'utf8').catch(() => undefined)
  exists = async (path: string): Promise<boolean> =>
    (await lstat(join(this.workspace(), path)).catch(() => undefined)) !== undefined

  /** Processes on this machine with the scenario's id in their arguments. */
  processes(): string[] {
    return readdirSync('/proc').flatMap((entry) => {
      if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return []
      try {
        const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8')
        return line.includes(marked(this.id)) ? [`${entry}: ${line.replaceAll('\0', ' ').slice(0, 100)}`] : []
      } catch {
        return []
      }
    })
  }

  /** Calls the bot's own HTTP interface, as the operator does. */
  api = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${this.bot.url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}
