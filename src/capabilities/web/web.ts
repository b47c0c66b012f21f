import type { Capability } from '../../turn/capability.ts'
import { type WebSettings, webSection } from './settings.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

/** Public pages and searches. */
export const web: Capability<WebSettings> = {
  name: 'web',
  settings: webSection,
  tools: [webFetch, webSearch],
  context: ({ bot }, _, settings) => ({ web: bot.web, limits: { web: settings } }),
}
