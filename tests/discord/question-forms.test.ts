import { describe, expect, test } from 'vitest'
import type { QuestionPart } from '../../src/domain/question.ts'
import { until } from '../support/until.ts'
import { cardOf, told } from './card-room.ts'
import { options, question } from './requests.ts'

const part = (words: string, more: Partial<QuestionPart> = {}): QuestionPart => ({
  question: words,
  options: [],
  multiple: false,
  required: true,
  ...more,
})

const also = [
  part('How *large*?', { options: options(3), multiple: true }),
  part('For whom is it, and why is it for them and not for somebody else?', { required: false }),
]

async function open(request = question({ also })) {
  const opened = await cardOf(request)
  const { discord, id, sink } = opened
  expect((await discord.people.click('ana', id, 'Answer…').answered).kind).toBe('modal')
  const fields = () =>
    (discord.people.openModal('ana')?.components ?? []).map(({ label, description, component }) => ({
      label,
      description,
      field: component?.custom_id,
      required: component?.required,
    }))
  const taken = async () => (await until('the answer', () => sink.answers[0])).given
  return { ...opened, fields, taken }
}

describe('a form of several questions', () => {
  test('shows them all, with what is known of their options, and one button', async () => {
    const { shown } = await cardOf(question({ also, context: 'For the wall.' }))
    const content = shown()?.content ?? ''

    expect(content).toContain('For the wall.')
    expect(content).toContain('**1.** **Which colour?**')
    expect(content).toContain('**Red** (recommended) – like fire · 1 minute')
    expect(content).toContain('**2.** **How *large*?**')
    expect(content).toContain('- **Label 2**')
    expect(content).toMatch(/\*\*3\.\*\* \*\*For whom is it.*\*\* \(optional\)/)
    expect(shown()?.buttons.map(({ label }) => label)).toEqual(['Answer…'])
    expect(shown()?.selects).toEqual([])
  })

  test('has a field for each, and own words beside lists as far as there is room', async () => {
    const { fields } = await open()

    expect(fields()).toEqual([
      { label: '1. Which colour?', description: undefined, field: 'pick-0', required: false },
      { label: '1. Or in your own words', description: undefined, field: 'words-0', required: false },
      { label: '2. How *large*?', description: undefined, field: 'pick-1', required: false },
      { label: '2. Or in your own words', description: undefined, field: 'words-1', required: false },
      {
        label: '3. For whom is it, and why is it for them an…',
        description: 'For whom is it, and why is it for them and not for somebody else?',
        field: 'words-2',
        required: false,
      },
    ])
  })

  test('takes options, several options, words, and nothing where that may be', async () => {
    const { discord, taken } = await open()
    await discord.people.submitModal('ana', { 'pick-0': 'Blue', 'pick-1': ['0', '2'], 'words-1': 'or so' }).answered

    expect(await taken()).toEqual({
      kind: 'question',
      answer: ['blue'],
      also: [['option 0', 'option 2', 'or so'], ''],
    })
  })

  test('says what is missing, and takes nothing then', async () => {
    const { room, discord, thread, sink } = await open()
    await discord.people.submitModal('ana', { 'pick-0': 'Blue' }).answered

    expect(await told(room, thread.thread, 'ana')).toBe('A required answer is missing. Nothing was sent.')
    expect(sink.answers).toEqual([])
  })

  test('of five has five fields, and those that have to be filled are', async () => {
    const four = Array.from({ length: 4 }, (_, index) => part(`Question ${index}?`, { options: options(25) }))
    const { fields, discord, taken } = await open(question({ also: four }))
    expect(fields().map(({ field, required }) => [field, required])).toEqual(
      [0, 1, 2, 3, 4].map((place) => [`pick-${place}`, true]),
    )
    const chosen = Object.fromEntries([0, 1, 2, 3, 4].map((place) => [`pick-${place}`, '1']))
    await discord.people.submitModal('ana', chosen).answered

    const second = ['option 1']
    expect(await taken()).toEqual({ kind: 'question', answer: ['blue'], also: [second, second, second, second] })
  })

  test('is cut to what Discord takes, with something of each question', async () => {
    const long = options(25).map((option) => ({ ...option, label: '字*'.repeat(60), description: '字*'.repeat(300) }))
    const parts = [1, 2, 3, 4].map((place) => part(`${place}字*\n`.repeat(900), { options: long }))
    const request = question({ question: '0字*\n'.repeat(900), options: long, context: '字*'.repeat(900), also: parts })
    const { shown, fields } = await open(request)

    for (const place of [1, 2, 3, 4, 5]) expect(shown()?.content).toContain(`**${place}.** ${place - 1}字`)
    expect(fields()).toHaveLength(5)
  })

  test('of which nothing has to be answered can be skipped, by a button or as it is', async () => {
    const optional = question({ required: false, also: [part('More?', { required: false })] })
    const { shown, discord, taken } = await open(optional)
    expect(shown()?.buttons.map(({ label }) => label)).toEqual(['Answer…', 'Skip'])
    await discord.people.submitModal('ana', {}).answered

    expect(await taken()).toEqual({ kind: 'declined' })
  })

  test('shows each answer when it is decided', async () => {
    const answer = {
      text: 'Blue',
      option_ids: ['blue'],
      also: [
        { text: 'Label 0, *so*', option_ids: [] },
        { text: '', option_ids: [] },
      ],
      by: 'person' as const,
    }
    const answered = question({ also }, { state: 'answered', answer, answeredAt: 1 })
    const content = (await cardOf(answered)).shown()?.content

    expect(content).toContain('1. Which colour?: **Blue**')
    expect(content).toContain('2. How \\*large\\*?: **Label 0, \\*so\\***')
    expect(content).toMatch(/3\. For whom.*: \*\*–\*\*/)
  })
})

describe('a question', () => {
  test('shows whose answer counts, and rings nobody', async () => {
    const to = [
      { id: '123456789012345678', name: 'Ada' },
      { id: 'console', name: 'B*b\u202E' },
    ]
    const { shown } = await cardOf(question({ to }))
    expect(shown()?.content).toContain('-# For <@123456789012345678>, B\\*b\\\\u{202e}')
    expect(shown()?.pinged).toEqual([])
  })

  test('about a loop has its options as buttons', async () => {
    const { discord, id, sink, shown } = await cardOf(question({}, { kind: 'loop' }))
    expect(shown()?.buttons.map(({ label }) => label)).toEqual(['Red', 'Blue', 'Something else…'])
    discord.people.click('ana', id, 'Red')
    expect((await until('the answer', () => sink.answers[0])).given).toEqual({ kind: 'question', answer: ['red'] })
  })
})
