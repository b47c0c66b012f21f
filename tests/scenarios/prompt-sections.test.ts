import { describe, expect, test } from 'vitest'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { changeIn } from '../support/rows.ts'

/** Brings one section, whose text a test changes. */
const guide = (text: string) => {
  const held = { text }
  const capability: Capability = { name: 'guide', prompt: () => [{ name: 'Guide', text: held.text }] }
  return { held, capability }
}

const messagesOf = (bot: TestBot, request = -1) => bot.model.requests.at(request)?.messages ?? []

const serialised = (bot: TestBot, request: number): string => JSON.stringify(messagesOf(bot, request)).slice(0, -1)

const notesIn = (bot: TestBot, request = -1): string[] =>
  messagesOf(bot, request)
    .map(({ content }) => `${content}`)
    .filter((text) => text.startsWith('[The program] Your instructions have changed.'))

const greeting = () => says('Hello.')

test('a section is in the prompt under its name, and nothing is told while nothing changes', async () => {
  const bot = await startTestBot({ script: greeting, plugins: [guide('Ask Ana first.').capability] })
  const { conversation } = await bot.chat.say('one')
  await bot.chat.say('two', { conversation })
  await bot.restart()
  await bot.chat.say('three', { conversation })
  const [system] = messagesOf(bot, 0)
  expect(system?.content).toContain('\n\n# Guide\nAsk Ana first.\n\n# How to work\n')
  expect(serialised(bot, 1).startsWith(serialised(bot, 0))).toBe(true)
  expect(serialised(bot, 2).startsWith(serialised(bot, 1))).toBe(true)
  expect(messagesOf(bot).filter(({ content }) => `${content}`.startsWith('[The program]'))).toEqual([])
})

test('a section that changes between two turns is told once, where it changed, and everything before stays the same', async () => {
  const { held, capability } = guide('Ask Ana first.')
  const bot = await startTestBot({ script: greeting, plugins: [capability] })
  const { conversation } = await bot.chat.say('one')
  held.text = 'Ask Ben first.'
  await bot.chat.say('two', { conversation })
  await bot.chat.say('three', { conversation })
  await bot.restart()
  await bot.chat.say('four', { conversation })

  const told =
    '[The program] Your instructions have changed. This section replaces any of the same name.\n\n# Guide\nAsk Ben first.'
  expect(
    messagesOf(bot)
      .slice(1)
      .map(({ content }) => content),
  ).toEqual([
    expect.stringContaining('one'),
    'Hello.',
    told,
    expect.stringContaining('two'),
    'Hello.',
    expect.stringContaining('three'),
    'Hello.',
    expect.stringContaining('four'),
  ])
  for (const request of [1, 2, 3])
    expect(serialised(bot, request).startsWith(serialised(bot, request - 1)), `request ${request}`).toBe(true)
})

test('capabilities that come and go with a restart are told in existing threads, and in the prompt of new ones', async () => {
  const plugins = [guide('Ask Ana first.').capability]
  const bot = await startTestBot({ script: greeting, plugins })
  const { conversation } = await bot.chat.say('one')
  plugins.splice(0, 1, { name: 'weather', prompt: () => [{ name: 'Weather', text: 'Look at the sky.' }] })
  await bot.restart()
  await bot.chat.say('two', { conversation })
  const told = `[The program] Your instructions have changed. These sections replace any of the same name.

# Weather
Look at the sky.

The section “Guide” no longer applies: what it describes is gone.`
  expect(notesIn(bot)).toEqual([told])
  expect(serialised(bot, 1).startsWith(serialised(bot, 0))).toBe(true)

  await bot.chat.say('one')
  expect(notesIn(bot)).toEqual([])
  expect(messagesOf(bot)[0]?.content).toContain('# Weather\n')
  expect(messagesOf(bot)[0]?.content).not.toContain('# Guide\n')

  plugins.splice(0)
  await bot.restart()
  await bot.chat.say('three', { conversation })
  expect(notesIn(bot)).toEqual([
    told,
    '[The program] Your instructions have changed.\n\nThe section “Weather” no longer applies: what it describes is gone.',
  ])
  plugins.push(guide('Ask Ana first.').capability)
  await bot.restart()
  await bot.chat.say('four', { conversation })
  await bot.chat.say('five', { conversation })
  expect(notesIn(bot)).toHaveLength(3)
  expect(notesIn(bot)[2]).toContain('# Guide\nAsk Ana first.')
})

test('a change is told again at the front once its message is no longer sent', async () => {
  const { held, capability } = guide('Ask Ana first.')
  const bot = await startTestBot({
    script: greeting,
    plugins: [capability],
    config: { agent: { windowMessages: 4 }, sections: { context: { window: 'messages' } } },
  })
  const { conversation } = await bot.chat.say('0')
  held.text = 'Ask Ben first.'
  for (let turn = 1; turn < 8; turn++) {
    await bot.chat.say(`${turn}`, { conversation })
    expect(notesIn(bot), `turn ${turn}`).toEqual([expect.stringContaining('Ask Ben first.')])
  }
  expect(messagesOf(bot)[1]?.content).toBe(notesIn(bot)[0])
  expect(bot.model.violations).toEqual([])
})

test('a turn that a restart interrupts is told in the middle, and keeps its calls and results together', async () => {
  const { held, capability } = guide('Ask Ana first.')
  const bot = await startTestBot({
    script: [calls('ask_human', { question: 'Which?' }), says('Done.')],
    plugins: [capability],
  })
  const { conversation } = await bot.chat.say('go')
  held.text = 'Ask Ben first.'
  await bot.restart()
  const { text } = await bot.chat.say('this one', { conversation })
  expect(text).toBe('Done.')
  expect(messagesOf(bot).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
  expect(notesIn(bot)).toHaveLength(1)
  expect(bot.model.violations).toEqual([])
})

test('a capability whose prompt fails does not count as removed', async () => {
  const { held, capability } = guide('Ask Ana first.')
  const bot = await startTestBot({
    script: greeting,
    plugins: [
      {
        ...capability,
        prompt: (...about) => {
          if (held.text === '') throw new Error('out of order')
          return capability.prompt?.(...about) ?? []
        },
      },
    ],
  })
  const { conversation } = await bot.chat.say('one')
  held.text = ''
  await bot.chat.say('two', { conversation })
  expect(notesIn(bot)).toEqual([])
  held.text = 'Ask Ben first.'
  await bot.chat.say('three', { conversation })
  expect(notesIn(bot)).toEqual([expect.stringContaining('Ask Ben first.')])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('out of order')
    },
  ],
  ['says nothing', () => undefined as never],
])('what other capabilities bring is told although the prompt of one %s', async (_, prompt) => {
  const { held, capability } = guide('Ask Ana first.')
  const bot = await startTestBot({ script: greeting, plugins: [{ name: 'broken', prompt }, capability] })
  const { conversation } = await bot.chat.say('one')
  held.text = 'Ask Ben first.'
  await bot.chat.say('two', { conversation })
  expect(notesIn(bot)).toEqual([expect.stringContaining('# Guide\nAsk Ben first.')])
  await bot.chat.say('@pdf three', { conversation })
  expect(notesIn(bot)).toEqual([expect.anything(), expect.stringContaining('# Skill pdf\n')])
})

describe('while the prompt of a capability fails', () => {
  const outOfOrder = () => {
    throw new Error('out of order')
  }

  test.each([
    ['has to be shortened', (most: number) => 'An entry.\n'.repeat(most / 10)],
    ['has to be cut', undefined],
  ])('a section that %s because of its isn’t told in full, nor again once it works', async (_, shortened) => {
    let isBroken = false
    const memory = [{ name: 'Memory', text: 'A fact. '.repeat(350) }]
    const text = 'An entry.\n'.repeat(200)
    const list: Capability = { name: 'list', prompt: () => [{ name: 'List', text, ...(shortened && { shortened }) }] }
    const bot = await startTestBot({
      script: greeting,
      plugins: [{ name: 'memory', prompt: () => (isBroken ? outOfOrder() : memory) }, list],
      config: { agent: { promptShare: 0.01 } },
    })
    const { conversation } = await bot.chat.say('one')
    expect(`${messagesOf(bot)[0]?.content}`.split('An entry.').length).toBeLessThan(200)
    isBroken = true
    await bot.chat.say('two', { conversation })
    isBroken = false
    await bot.chat.say('three', { conversation })
    expect(notesIn(bot)).toEqual([])
  })

  test('a section that changes is told, also if it could be shortened', async () => {
    const held = { text: '- pdf' }
    const list: Capability = { name: 'list', prompt: () => [{ name: 'List', ...held, shortened: () => '- …' }] }
    const bot = await startTestBot({ script: greeting, plugins: [{ name: 'memory', prompt: outOfOrder }, list] })
    const { conversation } = await bot.chat.say('one')
    held.text = '- pdf\n- xlsx'
    await bot.chat.say('two', { conversation })
    expect(notesIn(bot)).toEqual([expect.stringContaining('# List\n- pdf\n- xlsx')])
  })

  test('its section is still told at the front, if it works when the turn begins', async () => {
    const { held, capability } = guide('Ask Ana first.')
    let works = Number.POSITIVE_INFINITY
    const bot = await startTestBot({
      script: greeting,
      plugins: [
        { ...capability, prompt: (...about) => (works-- > 0 ? (capability.prompt?.(...about) ?? []) : outOfOrder()) },
      ],
      config: { agent: { windowMessages: 4 }, sections: { context: { window: 'messages' } } },
    })
    const { conversation } = await bot.chat.say('0')
    held.text = 'Ask Ben first.'
    for (let turn = 1; turn < 5; turn++) await bot.chat.say(`${turn}`, { conversation })
    works = 1
    await bot.chat.say('@pdf 5', { conversation })
    expect(works).toBeLessThan(0)
    expect(notesIn(bot)).toEqual([expect.stringContaining('Ask Ben first.'), expect.stringContaining('# Skill pdf\n')])
  })
})

test('a section is gone once its capability says nothing any more', async () => {
  const { held, capability } = guide('Ask Ana first.')
  const prompt: Capability['prompt'] = (...about) =>
    held.text === '' ? (undefined as never) : (capability.prompt?.(...about) ?? [])
  const bot = await startTestBot({ script: greeting, plugins: [{ ...capability, prompt }] })
  const { conversation } = await bot.chat.say('one')
  held.text = ''
  await bot.chat.say('two', { conversation })
  expect(notesIn(bot)).toEqual([expect.stringContaining('The section “Guide” no longer applies')])
})

test('a name that is used twice appears once', async () => {
  const second: Capability = {
    name: 'second',
    prompt: () => ['Guide', 'Trust'].map((name) => ({ name, text: 'Obey.' })),
  }
  const bot = await startTestBot({ script: greeting, plugins: [guide('Ask Ana first.').capability, second] })
  const { conversation } = await bot.chat.say('one')
  await bot.chat.say('two', { conversation })
  expect(messagesOf(bot)[0]?.content).not.toContain('Obey.')
  expect(notesIn(bot)).toEqual([])
})

test('a thread that an older version began keeps its prompt, and is told what changes from then on', async () => {
  const { held, capability } = guide('Ask Ana first.')
  const bot = await startTestBot({ script: greeting, plugins: [capability] })
  const { conversation } = await bot.chat.say('one')
  await bot.stop()
  changeIn(bot.database, `update prompts set shared = null, sections = null, text = 'You are an older Bobbin.'`)
  await bot.restart()
  await bot.chat.say('two', { conversation })
  expect(messagesOf(bot)[0]?.content).toBe('You are an older Bobbin.')
  expect(notesIn(bot)).toEqual([])
  held.text = 'Ask Ben first.'
  await bot.chat.say('three', { conversation })
  expect(messagesOf(bot)[0]?.content).toBe('You are an older Bobbin.')
  expect(notesIn(bot)).toEqual([expect.stringContaining('# Guide\nAsk Ben first.')])
})
