import { expect, test } from 'vitest'
import { boundedFetch } from '../../src/capabilities/mcp/sdk/bounded-fetch.ts'

test.each([
  'http://127.0.0.1:1/token',
  'https://10.0.0.1/token',
  'https://[::1]/token',
  'https://intranet/token',
  'http://example.com/token',
])('a server on the internet can’t send us to %s', async (url) => {
  const fetching = boundedFetch(1_000, new URL('https://mcp.example.org/mcp'))
  await expect(fetching(url)).rejects.toThrow('where we don’t go')
})
