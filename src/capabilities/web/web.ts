import type { Capability } from '../../turn/capability.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

/** Public pages and searches. */
export const web: Capability = {
  name: 'web',
  tools: [webFetch, webSearch],
  context: ({ bot }) => ({ web: bot.web, limits: { web: bot.config.web } }),
}
