import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import type { Client } from '../support/client.ts'
import { scratch } from '../support/store.ts'
import { until } from '../support/until.ts'

export const program = resolve(import.meta.dirname, '../support/mcp/server.js')

/** A server that can be told to misbehave, as `config/mcp_servers.yaml` would name it, and what it noted. */
export async function unruly(settings: Record<string, unknown> = {}, ...modes: string[]) {
  const folder = await scratch()
  const noted = (name: string): string[] =>
    existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n') : []
  return {
    folder,
    noted,
    server: { command: process.execPath, args: [program, folder, ...modes], ...settings },
  }
}

/** A bot with these servers, once their tools are known. `limits` replaces some of the shipped ones. */
export async function botWith(
  servers: Record<string, object>,
  { limits = {}, logins = {}, config = {}, ...options }: TestBotOptions & { limits?: object; logins?: object } = {},
) {
  const mcp_servers = { servers, limits: { ...shippedMcp, ...limits }, logins }
  const bot = await startTestBot({ ...options, config: { ...config, sections: { ...config.sections, mcp_servers } } })
  await untilKnown(bot.chat)
  return bot
}

/** Turns wait for new servers only for a while, and a busy machine needs longer. */
export const untilKnown = (chat: Client): Promise<true> =>
  until('the tools of the servers', async () => {
    const { servers } = await chat.get<{ servers: { state: string; tools: number }[] }>('/mcp/servers')
    return servers.every(({ state, tools }) => state === 'failed' || (state !== 'starting' && tools > 0))
  }) as Promise<true>

export const shippedMcp = {
  start_ms: 300_000,
  call_ms: 300_000,
  answer_ms: 300_000,
  idle_ms: 600_000,
  message_bytes: 1_048_576,
  tools: 128,
  definition_bytes: 32_768,
  files: 20,
  at_once: 64,
}

/** Limits of the sandbox. */
export const box = { memory_bytes: 1_073_741_824, processes: 100, file_bytes: 1_048_576, temporary_bytes: 1_048_576 }

export const isRunning = (pid: number | string): boolean =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
