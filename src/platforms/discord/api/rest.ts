import { createRequire } from 'node:module'
import { REST, type RESTOptions } from 'discord.js'

export interface DiscordSettings {
  token: string
  /** A server to use instead of Discord's, such as http://127.0.0.1:4000/api. */
  apiUrl: string | undefined
}

/** A slower request is given up, ms: whether it was done is then open. */
const requestTimeoutMs = 15_000

/** Discord bans whoever sends 10,000 refused requests within 10 minutes; the library reports them at this interval. */
const countEvery = 100

/**
 * The library's own copy of undici. Without an agent from it, requests go through whichever copy was loaded first in
 * this process, such as Slack's, and that one rejects files.
 */
function ownAgent(): RESTOptions['agent'] {
  const libraryPath = createRequire(import.meta.url).resolve('discord.js')
  const restPath = createRequire(libraryPath).resolve('@discordjs/rest')
  const { Agent } = createRequire(restPath)('undici') as { Agent: new () => NonNullable<RESTOptions['agent']> }
  return new Agent()
}

export const restOptions = (settings: DiscordSettings): Partial<RESTOptions> => ({
  agent: ownAgent(),
  // The scheduler waits, and decides on the order: the library never does.
  rejectOnRateLimit: () => true,
  // A write is never repeated blindly; reads are retried by their callers.
  retries: 0,
  timeout: requestTimeoutMs,
  invalidRequestWarningInterval: countEvery,
  ...(settings.apiUrl !== undefined && { api: settings.apiUrl.replace(/\/+$/, '') }),
})

/** Requests have their own client: they continue while the connection is rebuilt. */
export const createRest = (settings: DiscordSettings): REST => new REST(restOptions(settings)).setToken(settings.token)
