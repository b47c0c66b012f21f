import { expect, test } from 'vitest'
import { secretsOf } from '../../src/kit/secrets/setting.ts'
import { ownSecrets } from '../../src/wiring/secrets.ts'
import { shippedConfig } from '../support/shipped.ts'

const key = 'NDk3OGQ1YjItOTM3Mi00Zjk4'

test.each([
  ['TRACKER_TOKEN', 'meadow', ['meadow']],
  ['TRACKER_PAT', key, [key]],
  ['MODE', 'production', []],
  ['GOOGLE_CLOUD_PROJECT', 'acme-analytics-prod-284719', []],
  ['ANTHROPIC_MODEL', 'claude-sonnet-4-20250514', []],
  ['PGHOST', 'db-1.eu-west-1.rds.amazonaws.com', []],
  ['BIGQUERY', 'https://a.example/projects/acme-analytics-prod-284719/mcp', []],
  ['TRACKER', `https://a.example/api/mcp/s/${key}/mcp`, [key]],
  ['TRACKER', `https://a.example/s/${key}%3D%3D/mcp`, [`${key}==`]],
  ['TRACKER', `https://a.example/mcp?apiKey=meadow-quiet&mode=fast&instance=${key}`, ['meadow-quiet', key]],
  ['PROXY', 'http://ana:me%40dow%@proxy.example:3128', ['me@dow%']],
  ['TRACKER', `https://${key}@a.example/7`, [key]],
  ['TRACKER', 'https://mcp.a.example/v1/2025-03-26/model-context-protocol-v2/mcp?read_only=true', []],
])('what has to be kept secret of %s=%s', (name, value, expected) => {
  expect(secretsOf(name, value)).toEqual(expected)
})

test('a key in an address is among the bot’s secrets, whatever its variable is called', () => {
  const variables = { ZAPIER_MCP_URL: `https://a.example/s/${key}/mcp` }
  expect(ownSecrets({ ...shippedConfig({}), variables }, [])).toContainEqual({ name: 'ZAPIER_MCP_URL', value: key })
})
