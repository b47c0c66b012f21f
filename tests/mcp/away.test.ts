import { expect, test } from 'vitest'
import { callFailure } from '../../src/capabilities/mcp/sdk/failures.ts'
import { unlessAway } from '../../src/capabilities/mcp/sdk/refresh.ts'

const failing = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`it met ${code}`), { code }) })

/** What comes of registering at a token server to which this fetch fails. */
const registering = (thrown: Error): Promise<unknown> =>
  unlessAway(() => Promise.reject(thrown))('https://example.com/register', { body: '{"redirect_uris":[]}' }).catch(
    (failed: unknown) => failed,
  )

test.each([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ECONNRESET',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
])('a token server to which the connection fails with %s is away, and the failure knows why', async (code) => {
  const thrown = failing(code)
  expect(await registering(thrown)).toMatchObject({ code: 'mcp_tokenless', cause: thrown })
})

test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', ''])(
  'one to which it fails with %s is not: waiting won’t help',
  async (code) => {
    const thrown = failing(code)
    expect(await registering(thrown)).toBe(thrown)
  },
)

test('an outage of ours is no word of the token server’s, and a call that met one was not carried out', async () => {
  const thrown = await registering(failing('EMFILE'))
  expect(thrown).toMatchObject({ name: 'Unavailable', code: 'too_many_files' })
  expect(callFailure(thrown, String)).toMatchObject({ name: 'Failure', code: 'mcp_unreachable' })
})
