import { expect, test } from 'vitest'
import { saysYes } from '../../src/kit/text/yes.ts'
import { withEmoji } from '../../src/platforms/slack/heard/emoji.ts'
import { openBench } from './support.ts'

test('emoji are heard as characters, so that a thumb is a yes and a rocket a trigger', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const said = ['👍', '👍🏽', '🚀 ship it', '👍 :party: a:b:c']
  const sent = said.map((text) => server.people.post('ana', '@ana', text))
  await server.idle()
  const heard = sent.map((ts) => sink.heard.find(({ message }) => message === ts)?.text ?? '')
  expect(heard).toEqual(said)
  expect(heard.map(saysYes)).toEqual([true, true, false, false])
})

test('only emoji that the blocks list become characters, each with its own skin tone', () => {
  const thumb = { type: 'emoji', name: '+1', unicode: '1f44d' }
  const toned = { ...thumb, name: '+1::skin-tone-2', unicode: '1f44d-1f3fb' }
  const odd = [
    { type: 'emoji', name: 'party' },
    { type: 'emoji', name: 'odd', unicode: '110000-x' },
  ]
  const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [thumb, toned, ...odd] }] }]
  const text = '10:30:+1: :+1::skin-tone-2: :party: :odd: :rocket:'
  expect(withEmoji(text, blocks)).toBe('10:30👍 👍🏻 :party: :odd: :rocket:')
})
