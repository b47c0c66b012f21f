import { expect, test } from 'vitest'
import { outagesIn } from '../../src/platforms/console/public/outages.js'

test('disconnected platforms are shown with a remedy, and so are messages that connected ones reject', () => {
  const remedy = 'Install the app again.'
  expect(
    outagesIn({
      console: { ok: true, detail: 'The console is available.' },
      slack: { ok: false, detail: 'the bot token was revoked', remedy },
      discord: {
        ok: true,
        detail: 'connected',
        waiting: [{ count: 2, reason: 'the thread is locked', remedy: 'Unlock it' }],
      },
    }),
  ).toEqual([
    { platform: 'slack', detail: 'The bot token was revoked. Install the app again.' },
    { platform: 'discord', waits: 2, detail: 'The thread is locked. Unlock it.' },
  ])
})
