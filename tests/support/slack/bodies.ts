import type { IncomingMessage } from 'node:http'
import { isObject, type Json } from './json.ts'

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** The fields of a call's body and query; undefined if it claims to be JSON and isn't. */
export function fieldsOf(request: IncomingMessage, body: Buffer): Json | undefined {
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://localhost').searchParams)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('application/json')) return { ...query, ...Object.fromEntries(new URLSearchParams(`${body}`)) }
  if (body.length === 0) return query
  try {
    const value: unknown = JSON.parse(`${body}`)
    return isObject(value) ? { ...query, ...value } : undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** The bytes of an upload: the body itself, or the first file of a form. */
export async function uploadedBytes(request: IncomingMessage, body: Buffer): Promise<Buffer> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return body
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const file = [...form.values()].find((value) => value instanceof Blob)
  return file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
}
