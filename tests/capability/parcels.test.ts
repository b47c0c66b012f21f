import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { openConsole } from '../contract/console-driver.ts'
import { openDiscord } from '../contract/discord-driver.ts'
import type { OpenDriver, Seen } from '../contract/driver.ts'
import { openSlack } from '../contract/slack-driver.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'

const module = resolve(import.meta.dirname, 'parcels.ts')

/** A configuration that names the module in its one line of wiring. */
async function configured(more = ''): Promise<string> {
  const directory = await scratch()
  await writeFile(join(directory, 'bobbin.yaml'), `plugins: [{ path: ${module} }]\n${more}`)
  return directory
}

const waiting = (seen: Seen) => seen.cards.some(({ outcome }) => outcome === undefined)
const answered = (text: string) => (seen: Seen) => seen.posts.some((post) => post.text.includes(text))

const doors: [name: string, open: OpenDriver][] = [
  ['the console', openConsole],
  ['Slack', openSlack('socket')],
  ['Discord', openDiscord],
]

describe.each(doors)('a capability from an outside module, in %s', (_, open) => {
  test('asks for approval, does its work, reminds the model, and answers its command', async () => {
    const script = [calls('send_parcel', { to: 'Rome' }), says('Sent.'), says('One so far.')]
    const bot = await open(script, { configDir: await configured() })
    const thread = await bot.mention('ana', 'send a parcel to Rome')
    const { cards } = await thread.until(waiting)
    expect(cards[0]?.kind).toBe('approval')
    expect(bot.modelHeard()).toContain('Parcels sent in this thread so far: 0.')
    expect(await thread.click('ana', 'Approve')).toBe('taken')
    await thread.until(answered('Sent.'))
    expect(bot.modelHeard()).toContain('The parcel is on its way to Rome.')
    await thread.say('ana', 'parcels', { mention: true })
    await thread.until(answered('Parcels: Rome.'))
  })
})

describe('its settings, events and routes', () => {
  test('a setting from its own section applies, and screens get its event', async () => {
    const script = [
      [calls('send_parcel', { to: 'Rome' }), says('Sent.')],
      [calls('send_parcel', { to: 'Oslo' }), says('Not sent.')],
    ].flat()
    const configDir = await configured('parcels: { most: 1 }\n')
    const bot = await startTestBot({
      script,
      environment: { BOBBIN_CONFIG_DIR: configDir },
      config: { rules: { approvals: false } },
    })
    const { conversation, events } = await bot.chat.say('to Rome', { user: 'ana' })
    const custom = { capability: 'parcels', event: 'sent', data: { to: 'Rome' } }
    expect(ofType(events, 'custom').map(({ data }) => data)).toEqual([expect.objectContaining(custom)])
    await bot.chat.say('to Oslo', { user: 'ana', conversation })
    expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('there have been enough')
    const route = await fetch(new URL('/api/v1/capabilities/parcels/all', bot.chat.url))
    expect(await route.json()).toEqual({ threads: 1 })
  })

  test('a value it declares secret is masked everywhere', async () => {
    const account = 'parcel-9f4Kq27Zr81mXw35'
    const bot = await startTestBot({
      script: [calls('send_parcel', { to: account }), says('Sent.')],
      environment: { BOBBIN_CONFIG_DIR: await configured(`parcels: { account: ${account} }\n`) },
      config: { rules: { approvals: false } },
    })
    const { events } = await bot.chat.say('to Rome', { user: 'ana' })
    expect(JSON.stringify(events)).toContain('The parcel is on its way')
    expect(JSON.stringify(events)).not.toContain(account)
    expect(JSON.stringify(bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'))).not.toContain(
      account,
    )
  })

  test('`config check` names a wrong value and a section that nobody has, at their lines', async () => {
    const data = await scratch()
    const good = await bobbin(data, 'config', 'check', {
      BOBBIN_CONFIG_DIR: await configured('parcels: { most: 4 }\n'),
    })
    expect(good.code).toBe(0)
    const bad = await bobbin(data, 'config', 'check', {
      BOBBIN_CONFIG_DIR: await configured('parcels:\n  most: none\nparcel:\n  most: 1\n'),
    })
    expect(bad.code).toBe(1)
    expect(bad.err).toMatch(/bobbin\.yaml:3:\d+: parcels\.most/)
    expect(bad.err).toMatch(/bobbin\.yaml:4:\d+: there is no setting called parcel\b/)
  })

  test('the doctor shows its check', async () => {
    const data = await scratch()
    const { out } = await bobbin(data, 'doctor', { BOBBIN_CONFIG_DIR: await configured('parcels: { most: 9 }\n') })
    expect(out).toContain('Parcels\n  ! A thread may send 9 parcels.')
  })
})
