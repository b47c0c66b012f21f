import { setTimeout as sleep } from 'node:timers/promises'
import { Events, type Interaction, MessageFlags } from 'discord.js'
import { describe, expect, test } from 'vitest'
import type { DiscordServerOptions } from '../support/discord/server.ts'
import { connect, raw, row, startServer, until } from './server-support.ts'

/** A client that does one thing with every interaction, and a card with buttons and a select. */
async function withCard(react: (interaction: Interaction) => Promise<unknown>, options: DiscordServerOptions = {}) {
  const discord = await startServer(options)
  const { client } = await connect(discord)
  const failures: unknown[] = []
  client.on(Events.InteractionCreate, (interaction) => {
    react(interaction).catch((thrown) => failures.push(thrown))
  })
  const select = { type: 1, components: [{ type: 3, custom_id: 'pick', options: [{ label: 'Red', value: 'r' }] }] }
  const components = [row('yes', 'no'), { type: 1, components: [{ type: 5, custom_id: 'who' }] }, select]
  const { body } = await raw(discord, 'POST', `/channels/${discord.channels.general}/messages`, {
    content: 'May I?',
    components,
  })
  return { discord, client, failures, card: body.id ?? '', shownCard: () => discord.view('general')[0] }
}

describe('a button', () => {
  test('is clicked by its id or its label, and answered by changing the card', async () => {
    const { discord, card, shownCard } = await withCard(async (interaction) => {
      if (!interaction.isButton()) return
      const { customId, user, member } = interaction
      const approves = member && 'cache' in member.roles && member.roles.cache.some(({ name }) => name === 'approvers')
      await interaction.update({ content: `${user.username} ${customId} ${approves}`, components: [] })
    })
    expect(await discord.people.click('ben', card, 'Do yes').answered).toMatchObject({ kind: 'updated' })
    expect(shownCard()).toMatchObject({ content: 'ben yes true', buttons: [], edited: true })
    expect(() => discord.people.click('ben', card, 'no')).toThrow('no button')
    expect(discord.violations).toEqual([])
  })

  test('is answered later by token, and with what only one person sees', async () => {
    const { discord, card, shownCard } = await withCard(async (interaction) => {
      if (!interaction.isButton()) return
      await interaction.deferUpdate()
      await interaction.editReply({ content: 'Decided.', components: [] })
      await interaction.followUp({ content: 'Thank you.', flags: MessageFlags.Ephemeral })
    })
    expect(await discord.people.click('ana', card, 'yes').answered).toMatchObject({ kind: 'deferred update' })
    await until(() => expect(discord.view('general')).toHaveLength(2))
    expect(shownCard()?.content).toBe('Decided.')
    const [, thanks] = discord.view('general')
    expect(thanks).toMatchObject({ content: 'Thank you.', ephemeralTo: 'ana' })
    const path = `/channels/${discord.channels.general}/messages/${thanks?.id}`
    expect(await raw(discord, 'GET', path)).toMatchObject({ body: { code: 10008 } })
    expect(discord.violations).toEqual([])
  })

  test('that is answered too late has failed', async () => {
    const { discord, card, failures } = await withCard(
      async (interaction) => {
        if (!interaction.isButton()) return
        await sleep(200)
        await interaction.deferUpdate()
      },
      { interactionDeadlineMs: 100 },
    )
    expect(await discord.people.click('ana', card, 'yes').answered).toEqual({ kind: 'failed' })
    await until(() => expect(failures).toMatchObject([{ code: 10062, status: 404 }]))
    expect(discord.violations).toEqual([])
  })

  test('is answered once', async () => {
    const { discord, card, failures } = await withCard(async (interaction) => {
      if (!interaction.isButton()) return
      await interaction.reply('First.')
      interaction.replied = false
      await interaction.reply('Second.')
    })
    await discord.people.click('ana', card, 'yes').answered
    await until(() => expect(failures).toMatchObject([{ code: 40060 }]))
    expect(discord.view('general').map(({ content }) => content)).toEqual(['May I?', 'First.'])
  })

  test('gives a token that runs out', async () => {
    const { discord, card, failures } = await withCard(async (interaction) => {
      if (!interaction.isButton()) return
      await interaction.deferUpdate()
      discord.misbehave.expire()
      await interaction.editReply('Too late.')
    })
    await discord.people.click('ana', card, 'yes').answered
    await until(() => expect(failures).toMatchObject([{ code: 50027, status: 401 }]))
  })

  test('survives a connection that breaks before the answer', async () => {
    const { discord, card, shownCard } = await withCard(async (interaction) => {
      if (interaction.isButton()) await interaction.update({ content: 'Done.', components: [] })
    })
    discord.misbehave.fail({ path: /\/callback$/ }, { kind: 'first', run: () => discord.misbehave.disconnect() })
    expect(await discord.people.click('ana', card, 'yes').answered).toMatchObject({ kind: 'updated' })
    expect(shownCard()?.content).toBe('Done.')
    await until(() => expect(discord.gateway).toMatchObject({ connected: 1, resumes: 1 }))
  })

  test('works in direct messages', async () => {
    const { discord, client } = await withCard(async (interaction) => {
      if (interaction.isButton()) await interaction.update(`${interaction.user.username} in private`)
    })
    const sent = await (await client.users.fetch(discord.users.ana ?? '')).send({
      content: 'Yes?',
      components: [row('yes')],
    })
    await discord.people.click('ana', sent.id, 'yes').answered
    expect(discord.view(sent.channelId)[0]?.content).toBe('ana in private')
    expect(() => discord.people.click('ben', sent.id, 'yes')).toThrow('does not see')
    expect(discord.violations).toEqual([])
  })
})

test('a select brings values, and whom they stand for', async () => {
  const { discord, card } = await withCard(async (interaction) => {
    if (interaction.isStringSelectMenu()) await interaction.reply(interaction.values.join())
    if (interaction.isUserSelectMenu()) await interaction.reply(interaction.users.map(({ tag }) => tag).join())
  })
  await discord.people.select('ana', card, 'pick', ['Red']).answered
  await discord.people.select('ana', card, 'who', ['ben']).answered
  expect(discord.view('general').map(({ content }) => content)).toEqual(['May I?', 'r', 'ben'])
  expect(() => discord.people.select('ana', card, 'pick', ['Green'])).toThrow('no option Green')
  expect(() => discord.people.select('ana', card, 'pick', ['r', 'r'])).toThrow('takes 1 to 1 values')
})

describe('a form', () => {
  const fields = [
    { type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1, max_length: 20 } },
    { type: 18, label: 'Colour', component: { type: 21, custom_id: 'colour', options: ['r', 'g'].map(asOption) } },
    { type: 18, label: 'Tools', component: { type: 22, custom_id: 'tools', options: ['loom', 'comb'].map(asOption) } },
    { type: 18, label: 'Now?', component: { type: 23, custom_id: 'now' } },
    { type: 18, label: 'Pattern', component: { type: 19, custom_id: 'pattern', required: false } },
  ]

  function asOption(value: string) {
    return { value, label: value.toUpperCase() }
  }

  async function withForm(components: object[] = fields) {
    return withCard(async (interaction) => {
      if (interaction.isButton()) {
        await interaction.showModal({ title: 'Order', custom_id: 'order', components } as never)
      }
      if (!interaction.isModalSubmit() || !interaction.isFromMessage()) return
      const { fields: given } = interaction
      const files = await Promise.all(
        [...(given.getUploadedFiles('pattern')?.values() ?? [])].map(async ({ url }) => (await fetch(url)).text()),
      )
      const [name, colour] = [given.getTextInputValue('name'), given.getRadioGroup('colour')]
      const rest = [given.getCheckboxGroup('tools').join('+'), given.getCheckbox('now'), files.join()]
      await interaction.update({ content: [name, colour, ...rest].join(' '), components: [] })
    })
  }

  test('carries text, choices, ticks and files', async () => {
    const { discord, card, shownCard } = await withForm()
    expect(await discord.people.click('ana', card, 'yes').answered).toMatchObject({ kind: 'modal' })
    expect(discord.people.openModal('ana')?.title).toBe('Order')
    const values = { name: 'scarf', colour: 'g', tools: ['loom', 'comb'], now: true }
    const pattern = [{ name: 'p.txt', content: 'zigzag' }]
    const submitted = discord.people.submitModal('ana', { ...values, pattern })
    expect(await submitted.answered).toMatchObject({ kind: 'updated' })
    expect(shownCard()?.content).toBe('scarf g loom+comb true zigzag')
    expect(discord.people.openModal('ana')).toBeUndefined()
    expect(discord.violations).toEqual([])
  })

  test('is not sent incomplete', async () => {
    const { discord, card } = await withForm()
    await discord.people.click('ana', card, 'yes').answered
    const values = { name: 'scarf', colour: 'g', tools: ['loom'] }
    expect(() => discord.people.submitModal('ana', { ...values, name: '' })).toThrow('name takes 1 to 20 characters')
    expect(() => discord.people.submitModal('ana', { ...values, colour: 'blue' })).toThrow('colour has no option blue')
    expect(() => discord.people.submitModal('ana', { ...values, size: 'L' })).toThrow('no field size')
    expect(() => discord.people.submitModal('ben', values)).toThrow('No form is open before ben')
  })

  test.each([
    ['a field twice', [fields[0], fields[0]], 'Component custom id cannot be duplicated'],
    ['6 fields', [...fields, fields[0]], 'Must be between 1 and 5 in length.'],
    ['a long label', [{ ...fields[0], label: 'x'.repeat(46) }], 'Must be 45 or fewer in length.'],
  ])('is refused with %s', async (_, components, words) => {
    const { discord, card, failures } = await withForm(components as object[])
    discord.people.click('ana', card, 'yes')
    await until(() => expect(failures).toHaveLength(1))
    expect(failures).toMatchObject([{ code: 50035 }])
    expect(discord.violations[0]).toContain(words)
  })
})

describe('a slash command', () => {
  const commands = [
    {
      name: 'bobbin',
      description: 'Asks the bot.',
      options: [
        {
          type: 1,
          name: 'ask',
          description: 'Asks.',
          options: [
            { type: 3, name: 'what', description: 'What?', required: true, autocomplete: true },
            { type: 6, name: 'whom', description: 'Whom?' },
          ],
        },
      ],
    },
    { name: 'Explain', type: 3 },
    { name: 'admin', description: 'Not for all.', default_member_permissions: '8' },
  ]

  test('is registered, found by people, and answered after a while', async () => {
    const { discord, client } = await withCard(async (interaction) => {
      if (!interaction.isChatInputCommand()) return
      await interaction.deferReply({ flags: MessageFlags.Ephemeral })
      const { options } = interaction
      await interaction.editReply(
        `${options.getSubcommand()} ${options.getString('what')} ${options.getUser('whom')?.tag}`,
      )
    })
    await client.application.commands.set(commands)
    expect((await client.application.commands.fetch()).map(({ name }) => name)).toEqual(['bobbin', 'Explain', 'admin'])
    const values = { what: 'why', whom: 'ben' }
    expect(await discord.people.slash('ana', 'general', 'bobbin ask', values).answered).toMatchObject({
      kind: 'deferred',
    })
    await until(() => expect(discord.view('general').at(-1)?.content).toBe('ask why ben'))
    expect(discord.view('general').at(-1)).toMatchObject({ ephemeralTo: 'ana', loading: false, edited: false })
    expect(() => discord.people.slash('ana', 'general', 'bobbin ask')).toThrow('The option what is missing')
    expect(() => discord.people.slash('ana', 'general', 'nothing')).toThrow('no command nothing')
    expect(() => discord.people.slash('cleo', 'general', 'admin')).toThrow('not for everybody')
    expect(discord.violations).toEqual([])
  })

  test('completes what is typed, and there are commands on messages', async () => {
    const { discord, client, card } = await withCard(async (interaction) => {
      if (interaction.isAutocomplete()) {
        await interaction.respond([{ name: 'Why?', value: `${interaction.options.getFocused()}y` }])
      }
      if (interaction.isMessageContextMenuCommand())
        await interaction.reply(`On "${interaction.targetMessage.content}"`)
    })
    await client.application.commands.set(commands)
    const choices = [{ name: 'Why?', value: 'why' }]
    const typed = discord.people.complete('ana', 'general', 'bobbin ask', 'what', 'wh')
    expect(await typed.answered).toMatchObject({ kind: 'choices', choices })
    await discord.people.messageCommand('ana', card, 'Explain').answered
    expect(discord.view('general').at(-1)?.content).toBe('On "May I?"')
    expect(discord.violations).toEqual([])
  })

  test('cannot change a message that it does not have', async () => {
    const { discord, client } = await withCard(async (interaction) => {
      if (!interaction.isChatInputCommand()) return
      await raw(discord, 'POST', `/interactions/${interaction.id}/${interaction.token}/callback`, { type: 6 })
    })
    await client.application.commands.set(commands)
    discord.people.slash('ana', 'general', 'bobbin ask', { what: 'why' })
    await until(() => expect(discord.violations[0]).toContain('This interaction is not answered like that'))
  })
})
