import type { Context } from 'hono'
import { isDecodable } from '../kit/text/decodable.ts'
import { readBytes } from './body.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { apiWords } from './words.ts'

/** The routes of capabilities. They can decode each part of an address, and no body is larger than an upload may be. */
export function capabilityRoutes(api: Api, { routes, config }: ApiDeps): void {
  for (const [path, answer] of routes)
    api.all(`/${path}/*`, async (context) => {
      if (!isDecodable(new URL(context.req.url).pathname))
        throw new ApiError(400, 'bad_address', apiWords.addressUnreadable(), apiWords.addressUnreadableRemedy())
      const answered: unknown = await answer(await read(context, config.uploads.fileBytes))
      if (isResponse(answered)) return answered
      throw new ApiError(500, 'bad_plugin', apiWords.routeAnsweredNothing({ path }), apiWords.correctPlugin())
    })
}

/** There are several classes of them: the server has its own. */
const isResponse = (value: unknown): value is Response =>
  value instanceof Object && 'status' in value && 'headers' in value && 'body' in value

/** The request with its whole body. Throws 413. */
async function read({ req }: Context, most: number): Promise<Request> {
  const { url, method, headers, signal, body } = req.raw
  if (body === null) return req.raw
  return new Request(url, { method, headers, signal, body: await readBytes({ req }, most) })
}
