import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutPings as discord } from '../../src/platforms/discord/text/without-pings.ts'
import { withoutPings as slack } from '../../src/platforms/slack/text/without-pings.ts'
import { documents, rubbish } from './documents.ts'

const rings = {
  Slack: /<\\?!(?:channel|here|everyone|subteam)|<\\?@[UW]|(?<![a-z\d])@(?:channel|here|everyone)\b/i,
  Discord: /<@[!&]?\d|(?<!\w)@(?:everyone|here)\b/i,
}
const platforms = [
  ['Slack', slack],
  ['Discord', discord],
] as const

describe('what a model says notifies nobody', () => {
  test.each([
    '<!channel>',
    '<!here|here>',
    '<!everyone>',
    '<!subteam^S0AB|@team>',
    '<@U0123>',
    '<@W0123|ana>',
    '@channel',
    'cc @here!',
    '[click @everyone](https://example.com)',
    '`<!channel>`',
    '```\n<@U0123>\n```',
    '\\<!channel>',
    '<\\!channel>',
  ])('in Slack: %j', (text) => {
    expect(text).toMatch(rings.Slack)
    expect(slack(text)).not.toMatch(rings.Slack)
    expect(slack(text).replaceAll('\u2060', '')).toBe(text)
  })

  test.each([
    '@everyone',
    '@here',
    '<@123456789012345678>',
    '<@!123456789012345678>',
    '<@&123456789012345678>',
    '`@here`',
  ])('in Discord: %j', (text) => {
    expect(discord(text)).not.toMatch(rings.Discord)
    expect(discord(text).replaceAll('\u2060', '')).toBe(text)
  })

  test('and what notifies nobody stays as it is', () => {
    const text =
      'Mail ana@example.com or bob@hereford.example, `@hereby`, see <#C012>, <https://example.com>, `a < b`, @ana and @channels.'
    expect(slack(text)).toBe(text)
    expect(discord(text)).toBe(text)
  })

  test('and an address leads to the same place', () => {
    const text = '[a video](https://example.com/@channel/videos) @channel'
    expect(slack(text)).toBe('[a video](https://example.com/%40channel/videos) @\u2060channel')
  })

  const ping = fc.constantFrom('<!channel>', '<@U12>', '<@123>', '@everyone', '@here', '<', '@', '!', '<@', 'here')
  const texts = fc.oneof(
    documents,
    rubbish,
    fc.array(fc.oneof(ping, fc.string({ maxLength: 3 }))).map((all) => all.join('')),
  )

  test.each(platforms)('on %s, whatever it is, and the second time changes nothing', (name, withoutPings) => {
    fc.assert(
      fc.property(texts, (text) => {
        const safe = withoutPings(text)
        expect(safe).not.toMatch(rings[name])
        expect(withoutPings(safe)).toBe(safe)
      }),
    )
  })
})
