import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Busboy } from '@fastify/busboy'
import type { UploadedFile } from '../world/types.ts'
import { apiError } from './errors.ts'

export interface Body {
  json: unknown
  /** By the number in `files[n]`. */
  files: Map<string, UploadedFile>
}

const maxRequestBytes = 25 * 1_024 * 1_024
const maxFileBytes = 10 * 1_024 * 1_024

/** JSON, or multipart with `payload_json` and `files[n]`. Bodies that are too large are refused as on Discord. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const raw = await buffer(request)
  if (raw.length > maxRequestBytes) throw apiError(40005)
  const type = request.headers['content-type'] ?? ''
  if (/^multipart\/form-data/i.test(type)) return readForm(raw, type)
  return { json: raw.length > 0 ? parseJson(String(raw)) : undefined, files: new Map() }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw apiError(50109)
  }
}

async function readForm(raw: Buffer, type: string): Promise<Body> {
  const files = new Map<string, UploadedFile>()
  const reads: Promise<void>[] = []
  let json: unknown
  const form = new Busboy({
    headers: { 'content-type': type },
    // The parser's own limit for a field is 1 MiB, and it truncates silently.
    limits: { fieldSize: maxRequestBytes },
    isPartAFile: (name) => name !== 'payload_json',
  })
  form.on('field', (name, value) => {
    if (name === 'payload_json') json = parseJson(value)
  })
  form.on('file', (name, stream, filename, _encoding, contentType) => {
    const key = /^files\[(\d+)\]$/.exec(name ?? '')?.[1] ?? name ?? ''
    reads.push(
      buffer(stream).then((content) => {
        files.set(key, { name: filename ?? 'file', content, contentType: contentType ?? 'application/octet-stream' })
      }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    form.on('finish', resolve).on('error', reject)
    form.end(raw)
  })
  await Promise.all(reads)
  for (const { content } of files.values()) if (content.length > maxFileBytes) throw apiError(40005)
  return { json, files }
}
