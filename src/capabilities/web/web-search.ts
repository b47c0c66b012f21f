import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import type { WebContext } from './context.ts'
import { webWords } from './words.ts'

const input = z.strictObject({
  query: z.string().trim().min(1).max(400).describe('What you would type into a search engine.'),
  results: z.int().min(1).max(20).optional().describe('Maximum number of results.'),
})

export const webSearch = defineTool({
  kind: 'run',
  name: 'web_search',
  description:
    'Searches the web and returns titles, addresses and a few words of each result. The query is sent to a search ' +
    'provider: put no secrets into it. Read a page with web_fetch before you rely on it, and say where facts come from.',
  input,
  doing: ({ query }) => webWords.searching({ query }),
  effect: 'external',
  inPlanMode: true,
  repeatable: true,
  inspect: ({ query }) => ({ subjects: [plainQuery(query)], wider: ['*'], unclear: [], returns: true }),
  source: () => 'results of a web search',
  sources: (_, result) =>
    [...result.matchAll(/^\d+\. (.+)\n {3}(https?:\/\/\S+)$/gm)]
      .slice(0, mostSources)
      .map(([, title = '', url = '']) => ({ url, title })),
  foreign: true,
  sends: true,
  lacks: ({ web }) => (web.search === undefined ? `${webWords.noProvider()} ${webWords.setProvider()}` : undefined),
  run: async ({ query, results }, { web, limits, signal }: WebContext) => {
    if (web.search === undefined) throw new Failure('no_search', webWords.noProvider(), webWords.setProvider())
    const found = await web.search(plainQuery(query), results ?? limits.web.results, signal)
    if (found.length === 0) return 'Nothing was found. Try fewer or other words.'
    return found
      .map(({ title, url, snippet }, index) => `${index + 1}. ${title}\n   ${url}\n   ${snippet}`.trimEnd())
      .join('\n')
  },
})

/** How many results are shown to people as sources. */
const mostSources = 5

/** The query sent is the one that was inspected: nothing hidden goes along. */
const plainQuery = (query: string): string => withoutInvisible(query.toWellFormed()).replace(/\s+/g, ' ').trim()
