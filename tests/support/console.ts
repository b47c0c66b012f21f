import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import { type Listening, listen } from '../../src/api/listen.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { consolePages } from '../../src/platforms/console/pages.ts'
import type { ChatPlatform } from '../../src/platforms/platform.ts'
import type { Store } from '../../src/store/store.ts'
import { compileRules } from '../../src/trust/rules.ts'
import { toolbox } from '../../src/turn/state/toolbox.ts'
import { builtinTools } from '../../src/wiring/capabilities.ts'
import { openStaging } from '../../src/workspace/staging.ts'
import { workspacesIn } from '../../src/workspace/workspaces.ts'
import { testWeb } from '../web/support.ts'
import { Client } from './client.ts'
import { commands } from './commands.ts'
import { resting, rethrow } from './resting.ts'
import { shippedConfig } from './shipped.ts'
import { openStore, scratch } from './store.ts'

/** The HTTP interface and the console on a store, with other platforms but no engine. */
export async function startConsole(platforms: ChatPlatform[]): Promise<{ chat: Client; store: Store }> {
  const directory = await scratch()
  const store = await openStore()
  const config = shippedConfig({ BOBBIN_DATA_DIR: directory }, directory)
  let listening: Listening | undefined
  const app = await createApp(
    {
      store,
      engine: resting,
      liveTexts: liveTextsHere(systemClock),
      commands,
      routes: new Map(),
      operations: async () => [],
      endpoints: [],
      views: new Map(),
      rules: compileRules(config.rules),
      isMember: async () => false,
      tools: toolbox(builtinTools, config.tiers, { web: testWeb().web }),
      config,
      staging: await openStaging(join(directory, 'incoming')),
      workspaces: workspacesIn(join(directory, 'workspace'), rethrow),
      platforms: new Map(platforms.map((platform) => [platform.name, platform])),
      receive: () => Promise.reject(new Error('nobody runs sessions here')),
      documentsOf: () => Promise.reject(new Error('nobody reads documents here')),
      statuses: new Map(),
      holder: 'node_test',
      silent: () => new Set(),
      closing: new AbortController().signal,
      isStarted: () => true,
      about: { version: '0.0.0', model: { name: 'none', practice: false } },
      trustsUserId: true,
      report: rethrow,
    },
    { tokens: undefined, host: '127.0.0.1', port: () => listening?.port ?? 0 },
    consolePages,
  )
  listening = await listen(app, '127.0.0.1', 0)
  onTestFinished(() => listening?.close())
  return { chat: new Client(`http://127.0.0.1:${listening.port}`), store }
}

/** A platform of which only the state and the links are used. */
export const fakePlatform = (name: string, health = { ok: true, detail: 'Connected.' }): ChatPlatform => ({
  name,
  progress: 'posted',
  start: async () => {},
  stop: async () => {},
  health: () => health,
  pages: () => [],
  post: async () => '',
  find: async () => undefined,
  edit: async () => {},
  remove: async () => {},
  rename: async () => {},
  catchUp: () => undefined,
  live: () => ({ show: () => {}, begun: false, finish: async () => '', leave: async () => {} }),
  elsewhere: async () => [],
  isLater: () => true,
  history: async () => [],
  link: ({ project, thread }, message = thread) => `https://${name}.example/${project}/${message}`,
  messageIn: (text) => new RegExp(`^https://${name}\\.example/\\w+/(\\S+)$`).exec(text)?.[1],
  isMember: async () => false,
  download: () => Promise.reject(new Error('there are no files here')),
})
