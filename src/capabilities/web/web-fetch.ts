import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { namesOfHost } from '../../kit/net/host.ts'
import { exactly } from '../../kit/patterns/pattern.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { counted } from '../../kit/text/shown.ts'
import { TooLarge } from '../../kit/web/failures.ts'
import { type Fetched, type FetchOptions, webAddress } from '../../kit/web/port.ts'
import { decoded } from './answer.ts'
import type { WebContext } from './context.ts'
import { saveDownload } from './save.ts'
import { webWords } from './words.ts'

const input = z.strictObject({
  url: z.string().min(1).max(4096).describe('With https:// or http://'),
  as: z.enum(['markdown', 'file']).default('markdown').describe('"file" saves it as it is'),
})

export const webFetch = defineTool({
  kind: 'run',
  name: 'web_fetch',
  description:
    'Fetches a public web page as Markdown, without login or scripts. PDF and images are saved in temp/downloads/.',
  input,
  doing: ({ url }) => webWords.reading({ url }),
  effect: 'external',
  inPlanMode: true,
  repeatable: true,
  inspect: ({ url }) => {
    const { href, hostname, origin } = webAddress(url)
    return { subjects: [href], wider: [`${exactly(origin)}/*`], unclear: [], hosts: namesOfHost(hostname) }
  },
  source: ({ url }) => `the page ${url}`,
  sources: ({ url }, result) => {
    const { href, hostname } = webAddress(url)
    return [{ url: href, title: /^Title: (.+)$/m.exec(result.slice(0, 10_000))?.[1] ?? hostname }]
  },
  foreign: true,
  sends: true,
  run: async ({ url, as }, context: WebContext) => {
    const { web, limits, signal, judgeAlso } = context
    const { pageBytes, downloadBytes, timeoutMs } = limits.web
    const asked = webAddress(url).href
    const options = {
      pageBytes: as === 'file' ? downloadBytes : pageBytes,
      downloadBytes,
      timeoutMs,
      signal,
      mayFollow: async (from: URL, to: URL) => {
        const said = await judgeAlso({ url: to.href, as })
        return said === 'allowed' || (said === 'like this one' && siteOf(from) === siteOf(to))
      },
    }
    const fetched = await web.fetch(asked, options).catch((thrown) => {
      throw withWayOn(thrown, options)
    })
    const from = fetched.url === asked ? fetched.url : `${fetched.url}, to which ${asked} leads`
    if (as === 'file' || !isText(fetched.type)) return kept(fetched, from, context)
    const { text, isCut } = await shown(fetched, context)
    const end = isCut ? '…\n[The end was left out: it is too long. Fetch it with as "file" to read all of it.]' : ''
    return `[${from}: ${fetched.type}]\n${text}${end}`
  },
})

/** The same failure, with what fetches it all the same. */
function withWayOn(thrown: unknown, { pageBytes, downloadBytes }: FetchOptions): unknown {
  if (!(thrown instanceof Failure)) return thrown
  if (thrown.code === 'bad_type') return thrown.with({ remedy: `${thrown.remedy} ${webWords.badTypeRemedy()}` })
  const isPage = thrown instanceof TooLarge && thrown.bytes === pageBytes
  if (!isPage || pageBytes >= downloadBytes) return thrown
  return thrown.with({ remedy: webWords.tooLargeRemedy({ bytes: downloadBytes.toLocaleString('en-US') }) })
}

/** Whoever approves an address approves what its own site makes of it. */
const siteOf = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

const isText = (type: string): boolean =>
  type !== 'application/pdf' && !(type.startsWith('image/') && !type.endsWith('+xml'))

async function kept(fetched: Fetched, from: string, { workspace }: WebContext): Promise<string> {
  const path = await saveDownload(workspace, fetched)
  const size = counted(fetched.bytes.length, 'byte')
  return `[${from}: ${fetched.type}, ${size}]\nSaved as ${path}: read it with read_file.`
}

async function shown(fetched: Fetched, { web, signal }: WebContext): Promise<{ text: string; isCut: boolean }> {
  const { bytes, charset, type, url } = fetched
  if (type !== 'text/html' && type !== 'application/xhtml+xml') {
    const text = withoutInvisible((await decoded(bytes, charset)).replace(/\r\n?/g, '\n'))
    return { text: text === '' ? 'It is empty.' : text, isCut: false }
  }
  const { title, markdown, isCut } = await web.page(bytes, charset, url, signal)
  const body = markdown === '' ? 'No text was found in it: it may be made by scripts, which are not run.' : markdown
  return { text: title === '' ? body : `Title: ${title}\n\n${body}`, isCut }
}
