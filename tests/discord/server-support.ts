import { Client, type ClientOptions, Events, GatewayIntentBits, type Message, Partials } from 'discord.js'
import { expect, onTestFinished } from 'vitest'
import { type DiscordServer, type DiscordServerOptions, startDiscordServer } from '../support/discord/server.ts'
import { eventually, patienceMs } from '../support/until.ts'

const { Guilds, GuildMessages, MessageContent, DirectMessages, GuildMessageReactions, GuildMembers } = GatewayIntentBits

export const usualIntents = [Guilds, GuildMessages, MessageContent, DirectMessages, GuildMessageReactions, GuildMembers]

/** A server whose every answer is held against Discord's description, gone after the test. */
export async function startServer(options: DiscordServerOptions = {}): Promise<DiscordServer> {
  const discord = await startDiscordServer({ checkAnswers: true, ...options })
  onTestFinished(() => discord.close())
  return discord
}

export interface Connected {
  client: Client<true>
  /** The texts of all messages that came, in order. */
  heard: string[]
  messages: Message[]
}

/** discord.js itself, logged in; it does not wait between two IDENTIFYs. */
export async function connect(discord: DiscordServer, options: Partial<ClientOptions> = {}): Promise<Connected> {
  const client = new Client({
    intents: usualIntents,
    partials: [Partials.Channel, Partials.Message, Partials.Reaction],
    ...options,
    // What takes longer than its timeout is sent again, and without a nonce it then stands there twice.
    rest: { api: discord.url, timeout: patienceMs, ...options.rest },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }), ...options.ws },
  })
  onTestFinished(() => client.destroy())
  const messages: Message[] = []
  const heard: string[] = []
  client.on(Events.MessageCreate, (message) => {
    messages.push(message)
    heard.push(message.content)
  })
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve))
  await client.login(discord.token)
  return { client: await ready, messages, heard }
}

/** Waits until what is looked at is so. */
export const until = eventually

export const untilHeard = ({ heard }: { heard: string[] }, text: string) => until(() => expect(heard).toContain(text))

/** What tests look at in an answer: an error's code and words, a thing's id and content, its errors by place. */
interface AnswerBody {
  code?: number
  message?: string | { id: string }
  id?: string
  content?: string
  errors?: unknown
  threads?: { name: string }[]
  attachments?: { url: string }[]
}

export interface RawAnswer {
  status: number
  body: AnswerBody
  headers: Headers
}

/** A request without discord.js, which would not send what is wrong. */
export async function raw(discord: DiscordServer, method: string, path: string, body?: unknown): Promise<RawAnswer> {
  const response = await fetch(`${discord.url}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as AnswerBody) : { content: text },
    headers: response.headers,
  }
}

/** The same with files, as multipart. */
export async function rawForm(
  discord: DiscordServer,
  path: string,
  payload: unknown,
  files: Record<string, Blob>,
): Promise<RawAnswer> {
  const form = new FormData()
  form.set('payload_json', JSON.stringify(payload))
  for (const [index, [name, blob]] of Object.entries(files).entries()) form.set(`files[${index}]`, blob, name)
  const headers = { authorization: `Bot ${discord.token}` }
  const response = await fetch(`${discord.url}/v10${path}`, { method: 'POST', headers, body: form })
  return { status: response.status, body: (await response.json()) as AnswerBody, headers: response.headers }
}

export const row = (...ids: string[]) => ({
  type: 1,
  components: ids.map((id) => ({ type: 2, style: 1, label: `Do ${id}`, custom_id: id })),
})
