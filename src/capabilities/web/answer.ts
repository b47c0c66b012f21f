import { reasonOf } from '../../kit/failure.ts'
import { decoderOf } from '../../kit/text/decoder.ts'
import { withoutInvisible } from '../../kit/text/invisible.ts'
import { counted } from '../../kit/text/shown.ts'
import { oneLine } from '../../kit/text/text.ts'
import { type Answered, webAddress } from '../../kit/web/port.ts'
import { isReadable } from '../../kit/web/type.ts'
import type { HttpContext } from './context.ts'
import { type RequestInput, shownAddress } from './request.ts'
import { saveDownload } from './save.ts'

/** Headers that a program reads. The others say nothing to a model, or are for browsers. */
const shownHeaders = /^(location|link|etag|last-modified|retry-after|allow|content-range|(x-)?ratelimit-[\w-]+)$/

/** An answer as the model reads it. Secrets that come back in it are masked before anything is kept. */
export async function answerText(answered: Answered, input: RequestInput, context: HttpContext): Promise<string> {
  const { status, headers, type } = answered
  const address = shownAddress(webAddress(input.url))
  const shown = Object.entries(headers).filter(([name]) => shownHeaders.test(name))
  const lines = [
    `[${input.method} ${address}: ${status}${type === '' ? '' : `, ${oneLine(withoutInvisible(type), 80)}`}]`,
    ...shown.map(([name, value]) => `${name}: ${oneLine(context.mask(withoutInvisible(String(value))), 1000)}`),
    ...(status >= 300 && status < 400 && headers.location !== undefined
      ? ['[Redirects are not followed. Call http_fetch with that address if it is worth it.]']
      : []),
  ]
  return context.mask([...lines, await bodyText(answered, address, context)].join('\n'))
}

async function bodyText(
  { bytes, unread, charset, type }: Answered,
  url: string,
  context: HttpContext,
): Promise<string> {
  if (bytes === undefined) return `[Its answer could not be read. ${unread}]`
  if (bytes.length === 0) return 'The answer is empty.'
  if (isReadable(bytes, charset)) return withoutInvisible((await decoded(bytes, charset)).replace(/\r\n?/g, '\n'))
  const size = counted(bytes.length, 'byte')
  try {
    const path = await saveDownload(context.workspace, { url, type, bytes })
    return `${size}, saved as ${path}: read it with read_file.`
  } catch (thrown) {
    // The request was answered, so the call hasn't failed.
    return `[${size}, which could not be kept. ${reasonOf(thrown)}]`
  }
}

/** A byte order mark beats what the server says. */
export async function decoded(bytes: Uint8Array, charset: string | undefined): Promise<string> {
  const { decodeText } = await import('../../kit/text/encoding.ts')
  const told = decodeText(bytes)
  return told.sure || charset === undefined ? told.text : decoderOf(charset).decode(bytes)
}
