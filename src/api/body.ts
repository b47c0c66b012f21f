import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { BusboyInstance } from '@fastify/busboy'
import type { Context } from 'hono'
import type { RemoteFile } from '../domain/chat.ts'
import { sizeWords } from '../kit/text/shown.ts'
import type { Staging } from '../workspace/staging.ts'
import { countParts } from './count-parts.ts'
import { ApiError } from './errors.ts'
import { apiWords } from './words.ts'

export interface BodyLimits {
  bodyBytes: number
  fileBytes: number
  filesPerMessage: number
}

/** A JSON body. Throws 400, 413, 415. */
export async function readJson(context: Context, maxBytes: number): Promise<unknown> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new ApiError(415, 'not_json', apiWords.notJsonType(), 'Send Content-Type: application/json.')
  }
  return parseBody(await readBytes(context, maxBytes))
}

/** The whole body. Throws 413. */
export async function readBytes(context: Pick<Context, 'req'>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of context.req.raw.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Throws 400 for anything but JSON in UTF-8. */
export function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError(400, 'not_json', apiWords.unparsableBody(), apiWords.unparsableBodyRemedy())
  }
}

/** Fields and files of a multipart body; the files are staged when this resolves. Throws 400, 413. */
export async function readMultipart(
  context: Context,
  staging: Staging,
  limits: BodyLimits,
): Promise<{ fields: Record<string, string>; files: RemoteFile[] }> {
  const fields: Record<string, string> = {}
  const staged: Promise<RemoteFile>[] = []
  const contents: Readable[] = []
  const { body } = context.req.raw
  const contentType = context.req.header('content-type') ?? ''
  const parsed = Promise.withResolvers<void>()
  const { Busboy } = await import('@fastify/busboy')
  let parser: BusboyInstance
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: limits.bodyBytes, files: limits.filesPerMessage, fields: 10, fieldNameSize: 200 },
      // Names are made safe later; the sender's name is kept for people.
      preservePath: true,
    })
  } catch {
    throw malformed()
  }
  let fieldBytes = 0
  let repeated = 0
  parser.on('field', (name, value, _nameCut, valueCut) => {
    fieldBytes += value.length
    if (valueCut || fieldBytes > limits.bodyBytes) parsed.reject(tooLarge(limits.bodyBytes))
    if (name in fields) repeated++
    // Forms end every line with CR LF, whatever was written.
    fields[name] = value.replaceAll('\r\n', '\n')
  })
  parser.on('file', (_field, content, name) => {
    contents.push(content)
    // The parser continues only after a file has been read, so a refused one is read and thrown away.
    const file = staging.put(name || 'file', content, limits.fileBytes).finally(() => content.resume())
    file.catch(parsed.reject)
    staged.push(file)
  })
  parser.on('filesLimit', () =>
    parsed.reject(
      new ApiError(
        413,
        'too_many_files',
        apiWords.tooManyFiles({ most: limits.filesPerMessage }),
        apiWords.tooManyFilesRemedy(),
      ),
    ),
  )
  parser.on('error', () => parsed.reject(malformed()))
  parser.on('finish', () => parsed.resolve())
  if (body === null) throw malformed()
  const source = Readable.fromWeb(body as NodeReadableStream)
  source.on('error', parsed.reject)
  const counted = countParts(/boundary="?([^";]+)"?/i.exec(contentType)?.[1] ?? '')
  source.pipe(counted).pipe(parser)
  try {
    await parsed.promise
    if (counted.parts() > Object.keys(fields).length + repeated + staged.length) throw unreadablePart()
    return { fields, files: await Promise.all(staged) }
  } catch (thrown) {
    source.unpipe(counted)
    source.resume()
    // A file that was cut off in the middle would be waited for for ever.
    for (const content of contents) content.destroy(malformed())
    const settled = await Promise.allSettled(staged)
    await Promise.all(settled.map((file) => (file.status === 'fulfilled' ? staging.drop(file.value) : undefined)))
    throw thrown
  }
}

const unreadablePart = () =>
  new ApiError(400, 'unreadable_part', apiWords.unreadablePart(), apiWords.unreadablePartRemedy())

const malformed = () => new ApiError(400, 'not_multipart', apiWords.brokenMultipart(), apiWords.brokenMultipartRemedy())
const tooLarge = (maxBytes: number) =>
  new ApiError(
    413,
    'body_too_large',
    apiWords.bodyTooLarge({ maxBytes: sizeWords(maxBytes) }),
    apiWords.bodyTooLargeRemedy(),
  )
