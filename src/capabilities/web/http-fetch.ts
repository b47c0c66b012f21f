import { defineTool, UnknownOutcome } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { namesOfHost } from '../../kit/net/host.ts'
import { exactly } from '../../kit/patterns/pattern.ts'
import { refuseSentMask } from '../../kit/secrets/written-mask.ts'
import { type Answered, webAddress } from '../../kit/web/port.ts'
import { answerText } from './answer.ts'
import type { HttpContext } from './context.ts'
import {
  onlyReads,
  type RequestInput,
  requestInput,
  secretsOf,
  sentTexts,
  shownAddress,
  withSecrets,
} from './request.ts'
import { isFor } from './secrets.ts'
import { webWords } from './words.ts'

export const httpFetch = defineTool<RequestInput, HttpContext>({
  kind: 'run',
  name: 'http_fetch',
  description:
    'Sends one HTTP request, for APIs. Returns the status and the response. For pages, use web_fetch. Redirects are not followed. ' +
    `Write secrets as \${NAME} in the address, the headers or the body: the program puts them in, and you never see them.`,
  input: requestInput,
  doing: ({ method, url }) => `${method} ${url}`,
  effect: 'external',
  inspect: (input) => {
    const url = webAddress(input.url)
    const { method, headers, body } = input
    const secrets = secretsOf(input)
    const sent = secrets.map((name) => `\${${name}} to ${url.host}`)
    const to = { method, host: url.host }
    const note =
      secrets.length === 0
        ? webWords.sends(to)
        : webWords.sendsSecrets({ ...to, count: secrets.length, secrets: secrets.join(', ') })
    return {
      subjects: [`${method} ${shownAddress(url)}`, ...sent],
      ...(onlyReads(method) && { wider: [`${method} ${exactly(url.origin)}/*`, ...sent.map(exactly)] }),
      ...((body !== undefined || Object.keys(headers).length > 0) && { whole: JSON.stringify(input) }),
      unclear: [],
      notes: [note],
      hosts: namesOfHost(url.hostname),
      returns: true,
    }
  },
  source: ({ url }) => `the answer of ${url}`,
  sends: true,
  check: (input, { secrets }) => {
    for (const name of secretsOf(input)) secretFor(webAddress(input.url), name, secrets)
    if (!onlyReads(input.method)) for (const text of sentTexts(input)) refuseSentMask('the request', text)
  },
  run: async (input, context) => {
    const { web, limits, secrets, signal } = context
    const to = webAddress(input.url)
    const { url, headers, body } = withSecrets(input, (name) => secretFor(to, name, secrets))
    const { pageBytes, downloadBytes, timeoutMs } = limits.web
    const options = { method: input.method, headers, body, pageBytes, downloadBytes, timeoutMs, signal }
    const answered = await web.send(url, options).catch((thrown) => asUnknown(thrown, input.method))
    return answerText(answered, input, context)
  },
})

/** Asked again right before it is sent: the settings may have changed since somebody approved the call. */
function secretFor(url: URL, name: string, secrets: HttpContext['secrets']): string {
  const secret = secrets.get(name)
  if (secret === undefined) throw noSecret(name, [...secrets.keys()])
  if (!secret.hosts.some((host) => isFor(url, host))) throw notFor(name, url, secret.hosts)
  return secret.value
}

/** Without an answer, nobody knows whether the request was carried out. */
function asUnknown(thrown: unknown, method: string): Answered {
  if (!(thrown instanceof Failure) || !['no_answer', 'timed_out'].includes(thrown.code) || onlyReads(method))
    throw thrown
  throw new UnknownOutcome(thrown.code, thrown.message, '', { cause: thrown })
}

function noSecret(name: string, known: readonly string[]): Failure {
  const there = known.length === 0 ? 'There are none.' : `There are: ${known.join(', ')}.`
  const remedy = `${there} Whoever runs the bot can list it in web.secrets of config/bobbin.yaml.`
  return new Failure('no_secret', `There is no secret called ${name}.`, remedy)
}

function notFor(name: string, { protocol, host }: URL, hosts: readonly string[]): Failure {
  const fact = `The secret ${name} may not be sent to ${protocol}//${host}.`
  return new Failure('not_for_host', fact, `It is for ${hosts.join(', ')}.`)
}
