import querystring from 'node:querystring'
import { z } from 'zod'
import { webAddress } from '../../kit/web/port.ts'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The methods that change nothing where they arrive. */
export const onlyReads = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** Headers that belong to the connection, or that we could not read the answer with. */
const ours =
  /^(host|content-length|accept-encoding|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/i

const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'it is not the name of a header')
  .refine((name) => !ours.test(name), 'this header is set by the program')

export const requestInput = z.strictObject({
  method: z.enum(methods).default('GET').describe('GET and HEAD only read'),
  url: z.string().min(1).max(4096).describe('A public address, beginning with https:// or http://.'),
  headers: z
    .record(
      headerName,
      z
        .string()
        .max(8192)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'it has characters that no header can have'),
    )
    .refine((headers) => Object.keys(headers).length <= 40, 'at most 40')
    .default({})
    .describe('By name'),
  body: z.string().max(1_000_000).optional().describe('Sent as it is. Say in content-type what it is.'),
})

export type RequestInput = z.infer<typeof requestInput>

const reference = /\$\{([A-Z][A-Z0-9_]*)\}/g

const namesIn = (text: string): string[] => Array.from(text.matchAll(reference), ([, name = '']) => name)

/** The address as it is shown: references to secrets stay readable. */
export const shownAddress = ({ href }: URL): string => href.replace(/\$%7B([A-Z][A-Z0-9_]*)%7D/gi, '$${$1}')

/** The names of the secrets that a request refers to. */
export function secretsOf({ url, headers, body = '' }: RequestInput): string[] {
  return [...new Set([shownAddress(webAddress(url)), ...Object.values(headers), body].flatMap(namesIn))]
}

/** What a request sends, as it is written and as a form or an address means it. */
export const sentTexts = ({ url, headers, body = '' }: RequestInput): string[] => [
  querystring.unescape(url.replaceAll('+', ' ')),
  ...Object.values(headers),
  body,
  querystring.unescape(body.replaceAll('+', ' ')),
]

/** A request with its secrets put in, each written as its place requires. No secret can change the host. */
export function withSecrets({ url, headers, body }: RequestInput, secret: (name: string) => string) {
  const put = (text: string, written: (value: string) => string) =>
    text.replace(reference, (_, name: string) => written(secret(name)))
  const address = webAddress(url)
  const { pathname, search } = address
  const readable = (part: string) => part.replace(/\$%7B([A-Z][A-Z0-9_]*)%7D/gi, '$${$1}')
  address.pathname = put(readable(pathname), encodeURIComponent)
  address.search = put(readable(search), encodeURIComponent)
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), put(value, (one) => one)] as const)
  const type = named.find(([name]) => name === 'content-type')?.[1] ?? ''
  return { url: address, headers: Object.fromEntries(named), body: body && put(body, writtenIn(type)) }
}

function writtenIn(type: string): (value: string) => string {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return encodeURIComponent
  if (/^application\/([\w.-]+\+)?json\b/i.test(type)) return (value) => JSON.stringify(value).slice(1, -1)
  return (value) => value
}
