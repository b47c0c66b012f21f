import { createRequire } from 'node:module'
import type { App as BoltApp, HTTPReceiver as BoltHttpReceiver } from '@slack/bolt'

// Only these files of the package: its index also loads Express, stores for OAuth and a Lambda adapter.
const load = createRequire(import.meta.url)

export const { default: App } = load('@slack/bolt/dist/App.js') as { default: typeof BoltApp }
export const { default: HTTPReceiver } = load('@slack/bolt/dist/receivers/HTTPReceiver.js') as {
  default: typeof BoltHttpReceiver
}
