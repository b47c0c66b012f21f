import type { Context } from 'hono'
import { readBytes } from './body.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { apiWords } from './words.ts'

/** The routes of capabilities. They can decode each part of an address, and no body is larger than an upload may be. */
export function capabilityRoutes(api: Api, { routes, config }: ApiDeps): void {
  for (const [path, answer] of routes)
    api.all(`/${path}/*`, async (context) => {
      checkAddress(context.req.url)
      return answer(await read(context, config.uploads.fileBytes))
    })
}

/** Throws 400 for an address with a % that begins no character. */
function checkAddress(url: string): void {
  try {
    decodeURIComponent(new URL(url).pathname)
  } catch {
    throw new ApiError(400, 'bad_address', apiWords.addressUnreadable(), apiWords.encodeAddress())
  }
}

/** The request with its whole body. Throws 413. */
async function read({ req }: Context, most: number): Promise<Request> {
  const { url, method, headers, signal, body } = req.raw
  if (body === null) return req.raw
  return new Request(url, { method, headers, signal, body: await readBytes({ req }, most) })
}
