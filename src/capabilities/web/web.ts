import type { Config } from '../../config/config.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { httpFetch } from './http-fetch.ts'
import type { SentSecret } from './secrets.ts'
import { type WebSettings, webSection } from './settings.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

/** Public pages, searches, and requests to services. */
export const web: Capability<WebSettings> = {
  name: 'web',
  settings: webSection,
  tools: [webFetch, webSearch, httpFetch],
  context: ({ bot }, _, settings) => ({
    web: bot.web,
    limits: { web: settings },
    secrets: secretsIn(settings, bot.config),
    mask: (text: string) => bot.store.mask(text),
  }),
  prompt: (_, __, { secrets }) => {
    const lines = Object.entries(secrets).map(([name, hosts]) => `- \${${name}} for ${hosts.join(', ')}`)
    return lines.length === 0 ? [] : [{ name: 'Secrets for http_fetch', text: lines.join('\n') }]
  },
}

const secretsIn = ({ secrets }: WebSettings, { variables }: Config): ReadonlyMap<string, SentSecret> =>
  new Map(
    Object.entries(secrets).flatMap(([name, hosts]) => {
      const value = variables[name]
      return value === undefined ? [] : [[name, { value, hosts }] as const]
    }),
  )
