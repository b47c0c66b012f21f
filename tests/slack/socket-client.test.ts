import { expect, test } from 'vitest'
import { slackLogger } from '../../src/platforms/slack/api/logger.ts'
import { OneConnection } from '../../src/platforms/slack/receive/socket-client.ts'
import { eventually } from './support.ts'

function connection() {
  const warnings: string[] = []
  const line = (_: object, what: string) => void warnings.push(what)
  const logger = slackLogger({ debug: line, info: line, warn: line, error: line })
  const client = new OneConnection({ appToken: 'xapp-test', apiUrl: undefined, logger, pongMs: 1_000 })
  const taken: unknown[] = []
  client.on('slack_event', (event: unknown) => void taken.push(event))
  return {
    client,
    warnings,
    taken,
    say: (text: string | ArrayBuffer) => client.emit('ws_message', text, typeof text !== 'string'),
  }
}

test.each(['this is no JSON', '[]', 'null', '{"type":"events_api","envelope_id":"e"}'])(
  'a message that makes no sense ends nothing: %s',
  async (text) => {
    const { warnings, taken, say } = connection()
    say(text)
    // An unhandled rejection would end this test run as well.
    await eventually(() => expect(warnings).toEqual([expect.stringContaining('couldn’t be read')]))
    expect(taken).toEqual([])
  },
)

test('that Slack drops events is passed on, though there is no event in it', () => {
  const { taken, say } = connection()
  const body = { type: 'app_rate_limited', team_id: 'T1' }
  say(JSON.stringify({ type: 'events_api', envelope_id: 'e', payload: body }))
  expect(taken).toMatchObject([{ body, ack: expect.any(Function) }])
})

test('bytes are passed over', () => {
  const { taken, say } = connection()
  say(new ArrayBuffer(3))
  expect(taken).toEqual([])
})

test('a goodbye is reported, and does not close the connection by itself', () => {
  const { client, say } = connection()
  const told: string[] = []
  client.onGoodbye = (reason) => void told.push(reason)
  say('{"type":"disconnect","reason":"refresh_requested","debug_info":{}}')
  say('{"type":"disconnect"}')
  expect(told).toEqual(['refresh_requested', 'refresh_requested'])
})
