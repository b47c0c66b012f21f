import { createRequire } from 'node:module'
import { DefaultRestOptions, REST, type RESTOptions } from 'discord.js'

export interface DiscordSettings {
  token: string
  /** A server to use instead of Discord's, such as http://127.0.0.1:4000/api. */
  apiUrl: string | undefined
}

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

type MakeRequest = RESTOptions['makeRequest']

/** The slowest connection that files are given enough time for: the uplink of plain ADSL, 1 Mbit/s. */
const slowestBytesPerMs = 125

/** The library's own limit, ms, which would be the same with files and without: never reached. */
const noLimitMs = 2 ** 31 - 1

/** A request that takes longer, apart from the time for its files, is given up: whether it was done is then open. */
const givingUpAfter =
  (requestMs: number): MakeRequest =>
  (url, init) => {
    const limit = AbortSignal.timeout(Math.ceil(requestMs + bytesOfFiles(init.body) / slowestBytesPerMs))
    return DefaultRestOptions.makeRequest(url, { ...init, signal: AbortSignal.any([limit, init.signal ?? limit]) })
  }

function bytesOfFiles(body: Parameters<MakeRequest>[1]['body']): number {
  const parts = body instanceof FormData ? [...body.values()] : []
  return parts.reduce<number>((bytes, part) => bytes + (part instanceof Blob ? part.size : 0), 0)
}

export const restOptions = (settings: DiscordSettings, requestMs: number): Partial<RESTOptions> => ({
  agent: ownAgent(),
  // The scheduler waits, and decides on the order: the library never does.
  rejectOnRateLimit: () => true,
  // A write is never repeated blindly; reads are retried by their callers.
  retries: 0,
  timeout: noLimitMs,
  makeRequest: givingUpAfter(requestMs),
  invalidRequestWarningInterval: countEvery,
  ...(settings.apiUrl !== undefined && { api: settings.apiUrl.replace(/\/+$/, '') }),
})

/** Requests have their own client: they continue while the connection is rebuilt. */
export const createRest = (settings: DiscordSettings, requestMs: number): REST =>
  new REST(restOptions(settings, requestMs)).setToken(settings.token)
