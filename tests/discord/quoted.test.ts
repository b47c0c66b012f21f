import { ButtonStyle, ComponentType } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { openRoom, type Room } from './room.ts'

/** Ana asks what a message means. */
async function asksAbout({ discord, sink }: Room, message: string, where = 'general') {
  discord.people.post('ana', where, `<@${discord.botId}> what does it mean?`, { reply: message })
  return until('the question', () => sink.heard.find(({ mentioned }) => mentioned))
}

describe('a question about a message brings what that message says', () => {
  test('in the embed of another bot: its title, text, fields, source and footer', async () => {
    const room = await openRoom()
    const alert = room.discord.people.post('loom', 'general', '', {
      embeds: [
        {
          author: { name: 'Grafana' },
          title: '[FIRING] High CPU',
          description: 'db-1 is busy',
          fields: [
            { name: 'value', value: '97 %', inline: true },
            { name: 'since', value: '<t:1700000000:f>' },
          ],
          footer: { text: 'rule 7' },
        },
      ],
    })
    const { text } = await asksAbout(room, alert)

    expect(text).toBe(
      [
        'what does it mean?',
        '',
        '> loom wrote:',
        '> Grafana',
        '> [FIRING] High CPU',
        '> db-1 is busy',
        '> value: 97 %',
        '> since: 2023-11-14 22:13 UTC',
        '> rule 7',
      ].join('\n'),
    )
  })

  test('in components', async () => {
    const room = await openRoom()
    const alert = room.discord.people.post('loom', 'general', '', {
      components: [
        {
          type: ComponentType.Container,
          components: [
            { type: ComponentType.TextDisplay, content: '## Build 7' },
            {
              type: ComponentType.Section,
              components: [{ type: ComponentType.TextDisplay, content: 'failed' }],
              accessory: { type: ComponentType.Button, style: ButtonStyle.Primary, custom_id: 'x', label: 'Retry' },
            },
          ],
        },
      ],
    })
    const { text } = await asksAbout(room, alert)

    expect(text).toBe('what does it mean?\n\n> loom wrote:\n> ## Build 7\n> \n> failed')
  })

  test('in a message that it forwards, with its files', async () => {
    const room = await openRoom()
    const { people } = room.discord
    const plan = people.post('cleo', 'random', 'the plan', { files: [{ name: 'plan.txt', content: 'a, b' }] })
    const forwarded = people.post('ben', 'general', '', { forward: plan })
    const { text, files } = await asksAbout(room, forwarded)

    expect(text).toBe('what does it mean?\n\n> Ben wrote:\n> > Forwarded:\n> > the plan')
    expect(files).toMatchObject([{ name: 'plan.txt' }])
    const bytes = await room.platform.download(files[0] as (typeof files)[0])
    expect(await new Response(bytes).text()).toBe('a, b')
  })

  test('to its end', async () => {
    const room = await openRoom()
    const log = 'x '.repeat(970).trim()
    const fields = Array.from({ length: 25 }, (_, place) => ({ name: `host ${place}`, value: 'x'.repeat(200) }))
    const alert = room.discord.people.post('loom', 'general', log, { embeds: [{ fields }] })
    const { text } = await asksAbout(room, alert)

    expect(text).toContain(`> ${log}\n`)
    expect(text).toMatch(/\n> host 24: x{200}$/)
  })
})
