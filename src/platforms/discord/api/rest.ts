import { createRequire } from 'node:module'
import { REST, type RESTOptions } from 'discord.js'

export interface DiscordSettings {
  token: string
  /** Another server than Discord's, such as http://127.0.0.1:4000/api. */
  apiUrl: string | undefined
}

/** A request that takes longer is given up, ms: whether it was done is open then. */
const requestTimeoutMs = 15_000

/** Discord bans who sends 10,000 refused requests within 10 minutes; the library tells us every so many. */
const countEvery = 100

/**
 * The library's own copy of undici. Without an agent of it, requests go through whichever copy in this process came first, such
 * as Slack's, and that one refuses files.
 */
function ownAgent(): RESTOptions['agent'] {
  const libraryPath = createRequire(import.meta.url).resolve('discord.js')
  const restPath = createRequire(libraryPath).resolve('@discordjs/rest')
  const { Agent } = createRequire(restPath)('undici') as { Agent: new () => NonNullable<RESTOptions['agent']> }
  return new Agent()
}

export const restOptions = (settings: DiscordSettings): Partial<RESTOptions> => ({
  agent: ownAgent(),
  // The scheduler waits, and decides who goes first: the library never does.
  rejectOnRateLimit: () => true,
  // A write is never repeated blindly; reads are repeated where they are made.
  retries: 0,
  timeout: requestTimeoutMs,
  invalidRequestWarningInterval: countEvery,
  ...(settings.apiUrl !== undefined && { api: settings.apiUrl.replace(/\/+$/, '') }),
})

/** Requests have their own client: they go on while the connection is rebuilt. */
export const createRest = (settings: DiscordSettings): REST => new REST(restOptions(settings)).setToken(settings.token)
