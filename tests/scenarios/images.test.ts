import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { bmp, gif, jpeg, png, sized, webp } from '../support/images.ts'
import {
  calls,
  cutAfter,
  hang,
  type ModelScript,
  type RequestBody,
  says,
  startModelServer,
  status,
} from '../support/model-server.ts'
import { until } from '../support/until.ts'

/** Of all messages of a request: the data URLs of its images, and its texts. */
const partsOf = ({ messages }: RequestBody) =>
  messages.flatMap(({ content }) =>
    Array.isArray(content) ? content : [{ type: 'text' as const, text: `${content}` }],
  )
const imagesIn = (body: RequestBody | undefined): string[] =>
  body === undefined ? [] : partsOf(body).flatMap((part) => (part.type === 'image_url' ? part.image_url.url : []))
const wordsIn = (body: RequestBody | undefined): string =>
  body === undefined
    ? ''
    : partsOf(body)
        .flatMap((part) => (part.type === 'text' ? part.text : []))
        .join('\n')

const urlOf = (image: Uint8Array, type = 'png'): string =>
  `data:image/${type};base64,${Buffer.from(image).toString('base64')}`

/** A bot with a model that sees beside its base model. */
async function botWithEyes(seeing: ModelScript, base: ModelScript, config: TestBotOptions['config'] = {}) {
  const eyes = await startModelServer(seeing)
  onTestFinished(() => eyes.close())
  const environment = { MODEL_VISION_BASE_URL: eyes.url, MODEL_VISION_ID: 'eyes', MODEL_VISION_API_KEY: 'sight' }
  const bot = await startTestBot({ script: base, environment, config })
  return { bot, eyes }
}

/** A bot whose only model is known to see. */
async function botThatSees(script: ModelScript) {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-sees-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'models.yaml'), 'slots: { base: { sees: true } }')
  return startTestBot({ script, environment: { BOBBIN_CONFIG_DIR: directory } })
}

describe('an uploaded image', () => {
  test('is seen by the vision model, and described once; the base model does the rest', async () => {
    const seeing = [calls('now', {}), says('There is a dot.')]
    const { bot, eyes } = await botWithEyes(seeing, [says('A red dot.'), says('Still red.')])
    const said = await bot.chat.say('what is this?', { files: { 'dot.png': png }, user: 'ana' })
    expect(said.text).toBe('A red dot.')
    await bot.chat.say('and now?', { conversation: said.conversation })

    expect(eyes.violations).toEqual([])
    expect(eyes.requests).toHaveLength(2)
    expect(bot.model.requests.every((body) => wordsIn(body).includes('There is a dot.'))).toBe(true)
    expect(eyes.requests[0]).toMatchObject({ model: 'eyes', tools: expect.any(Array) })
    const [text, ...rest] = eyes.requests[0]?.messages.at(-1)?.content ?? []
    expect(text).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^\[ana\] what is this\?.*uploads\/dot\.png/s),
    })
    expect(rest).toEqual([{ type: 'image_url', image_url: { url: urlOf(png) } }])
    expect(bot.model.violations).toEqual([])
    expect(bot.model.requests).toHaveLength(2)
    expect(bot.model.requests.flatMap(imagesIn)).toEqual([])
    expect(bot.model.requests.map(wordsIn).join()).not.toMatch(/base64|no model here can see/)
  })

  test('goes to the base model if that is known to see', async () => {
    const bot = await botThatSees([calls('now', {}), says('A red dot.')])
    expect((await bot.chat.say('what is this?', { files: { 'dot.png': png } })).text).toBe('A red dot.')
    expect(bot.model.requests.map(imagesIn)).toEqual([[urlOf(png)], []])
  })

  test('that no model can see is mentioned to the model, with what would help', async () => {
    const bot = await startTestBot({ script: [says('I cannot see it.'), says('No.')] })
    const { conversation } = await bot.chat.say('what is this?', { files: { 'dot.png': png, 'two.gif': gif } })
    await bot.chat.say('and now?', { conversation })
    const [first, second] = bot.model.requests
    expect(wordsIn(first)).toContain('"uploads/dot.png", "uploads/two.gif" are images; no model here can see them.')
    expect(wordsIn(first)).toContain('MODEL_VISION_ID')
    expect(wordsIn(second)).not.toContain('no model here can see')
    expect(bot.model.requests.flatMap(imagesIn)).toEqual([])
  })

  test('of ten megabytes arrives whole, without shortening the text beside it', async () => {
    const { bot, eyes } = await botWithEyes([says('Large.')], [])
    const large = sized(png, 10 * 1024 * 1024)
    const question = `what is this? ${'Look closely. '.repeat(1_000)}`.trim()
    expect((await bot.chat.say(question, { files: { 'large.png': large } })).text).toBe('Large.')
    expect(imagesIn(eyes.requests[0])[0] === urlOf(large)).toBe(true)
    expect(wordsIn(eyes.requests[0])).toContain(question)
  })

  test('that is larger is named with its size and the limit', async () => {
    const { bot, eyes } = await botWithEyes([], [says('Too large.')])
    await bot.chat.say('look', { files: { 'huge.png': sized(png, 10 * 1024 * 1024 + 1) } })
    expect(eyes.requests).toEqual([])
    expect(wordsIn(bot.model.requests[0])).toContain(
      '"uploads/huge.png" is an image of 10485761 bytes, and a model is shown at most 10485760 bytes (10 MB).',
    )
  })
})

describe('what an image is', () => {
  test('its content says, not its name', async () => {
    const { bot, eyes } = await botWithEyes([says('Four.')], [])
    const files = {
      'photo.txt': jpeg,
      'photo.webp': webp,
      'moving.png': gif,
      'dot.PNG': png,
      'words.png': 'only words',
      'words.txt': 'GIF is how it begins',
      'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>',
      'empty.png': '',
      'noise.jpg': Buffer.from([0, 1, 2, 3]),
      'old.bmp': bmp,
    }
    await bot.chat.say('look', { files })
    expect(eyes.violations).toEqual([])
    expect(imagesIn(eyes.requests[0])).toEqual([
      urlOf(jpeg, 'jpeg'),
      urlOf(webp, 'webp'),
      urlOf(gif, 'gif'),
      urlOf(png),
    ])
    const words = wordsIn(eyes.requests[0])
    expect(words).toContain('"uploads/photo.txt", "uploads/photo.webp", "uploads/moving.png", "uploads/dot.PNG"')
    expect(words).toContain('only words')
    expect(words).toContain('<rect')
    expect(words).toContain('"uploads/old.bmp" is image/bmp, which can’t be shown to a model')
  })

  test('a file that only claims to be one leaves the question to the base model', async () => {
    const { bot, eyes } = await botWithEyes([], [says('Words.')])
    expect((await bot.chat.say('look', { files: { 'photo.png': 'just text' } })).text).toBe('Words.')
    expect(eyes.requests).toEqual([])
    expect(wordsIn(bot.model.requests[0])).not.toContain('is an image')
  })
})

describe('many images', () => {
  const image = (number: number): Buffer => Buffer.concat([png, Buffer.from([0, number])])
  const twelve = Object.fromEntries(
    Array.from({ length: 12 }, (_, number) => [`i${number + 1}.png`, image(number + 1)]),
  )

  test('are shown eight at once; the others are named, and shown when a message names them', async () => {
    const { bot, eyes } = await botWithEyes([says('Eight.'), says('The ninth.')], [])
    const { conversation } = await bot.chat.say('look', { files: twelve })
    expect(imagesIn(eyes.requests[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => urlOf(image(number))))
    expect(wordsIn(eyes.requests[0])).toMatch(
      /Not shown are "uploads\/i9\.png", .*"uploads\/i12\.png": at most 8 images/,
    )

    expect((await bot.chat.say('and #i9.png?', { conversation })).text).toBe('The ninth.')
    expect(imagesIn(eyes.requests[1])).toEqual([urlOf(image(9))])
  })

  test('are shown as long as they fit into one request', async () => {
    const { bot, eyes } = await botWithEyes([says('Two.')], [], { uploads: { imagesBytes: png.length * 2 + 4 } })
    await bot.chat.say('look', { files: { 'a.png': image(1), 'b.png': image(2), 'c.png': image(3) } })
    expect(imagesIn(eyes.requests[0])).toEqual([urlOf(image(1)), urlOf(image(2))])
    expect(wordsIn(eyes.requests[0])).toContain('Not shown are "uploads/c.png"')
  })
})

test('a request that was too long without its images is made again with them, and as much of the thread as fits', async () => {
  const tooLong = status(400, { message: 'maximum context length exceeded' })
  const { bot, eyes } = await botWithEyes(
    [status(400), says('I see eight.')],
    (_, n) => (n < 4 ? says('Go on.') : tooLong),
    {
      sections: { context: { window: 'messages' } },
    },
  )
  const { conversation } = await bot.chat.say('hello')
  const much = 'What was said before. '.repeat(200)
  const earlier = (number: number) => `${much}Half of part ${number}. ${much}`
  for (const number of [1, 2, 3]) await bot.chat.say(earlier(number), { conversation })
  const files = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`${n}.png`, png]))
  expect((await bot.chat.say('look', { conversation, files })).text).toBe('I see eight.')
  expect(imagesIn(eyes.requests[1])).toHaveLength(8)
  expect(wordsIn(eyes.requests[1])).not.toContain('Half of part 1.')
  expect(wordsIn(eyes.requests[1])).toContain('Half of part 3.')
})

test('an image that comes with the answer to a question is seen in the middle of the turn', async () => {
  const { bot, eyes } = await botWithEyes(
    [calls('now', {}), says('There is a red dot.')],
    [calls('ask_human', { question: 'Which?' }), says('Red.')],
  )
  const { conversation } = await bot.chat.say('what colour is it?')
  await bot.chat.say('this one', { conversation, files: { 'dot.png': png } })
  await bot.chat.untilType(conversation, 'complete')
  expect(eyes.requests.map(imagesIn)).toEqual([[urlOf(png)], [urlOf(png)]])
  expect(bot.model.requests).toHaveLength(2)
  expect(wordsIn(bot.model.requests.at(-1))).toContain('There is a red dot.')
  expect(bot.model.requests.flatMap(imagesIn)).toEqual([])
})

describe('a vision model that does not answer', () => {
  const refused = (message: string): ModelScript => [status(400, { message })]
  const nobody = /the model that was to see it did not take it, so no model here can see it\. .*MODEL_VISION_ID/
  const smaller = /the model that was to see it does not take that much at once\. Ask for a smaller copy/
  const later = /the model that was to see it did not answer\. .* message that names it, such as "#dot\.png", shows it/
  const refusals: [string, ModelScript, number, RegExp][] = [
    ['refuses images', refused('image_url is not allowed here.'), 1, nobody],
    ['accepts only text', refused('This model does not support image input, at most 8 messages.'), 1, nobody],
    ['finds them too large', [status(413)], 1, smaller],
    ['takes fewer bytes', refused('image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes'), 1, smaller],
    ['takes fewer pixels', refused('image dimensions exceed max allowed size: 8000 pixels'), 1, smaller],
    ['takes fewer of them', refused('At most 1 image(s) may be provided in one request.'), 1, smaller],
    ['keeps failing', () => status(503), 3, later],
    ['has too much to do', () => status(429), 3, later],
    ['breaks off every time', () => cutAfter(2), 3, later],
  ]

  test.each(refusals)('and %s: the base model is told, and answers', async (_, seeing, attempts, told) => {
    const { bot, eyes } = await botWithEyes(seeing, [says('I could not see it.')])
    const said = await bot.chat.say('look', { files: { 'dot.png': png } })
    expect(said.text).toBe('I could not see it.')
    expect(eyes.requests).toHaveLength(attempts)
    expect(bot.model.requests).toHaveLength(1)
    expect(imagesIn(bot.model.requests[0])).toEqual([])
    const line = /^.*"uploads\/dot\.png" is an image; .*$/m.exec(wordsIn(bot.model.requests[0]))?.[0]
    expect(line).toMatch(told)
    for (const other of [nobody, smaller, later]) if (other !== told) expect(line).not.toMatch(other)
    expect(ofType(said.events, 'warning').at(-1)?.data).toMatchObject({
      code: 'images_not_seen',
      message: expect.stringMatching(/Continuing without the images\.$/),
    })
    const discarded = ofType(said.events, 'text_end').filter(({ data }) => data.discarded === true)
    expect(discarded.length).toBe(ofType(said.events, 'text_start').length - 1)
  })

  test('names its own settings', async () => {
    const { bot } = await botWithEyes([status(401)], [says('No.')])
    const said = await bot.chat.say('look', { files: { 'dot.png': png } })
    expect(ofType(said.events, 'warning')[0]?.data.message).toContain('check MODEL_VISION_API_KEY')
  })

  test('and is the base model itself: it is asked again without the images', async () => {
    const bot = await botThatSees(({ messages }) =>
      imagesIn({ messages } as RequestBody).length > 0 ? status(400, { message: 'No images.' }) : says('Blind.'),
    )
    expect((await bot.chat.say('look', { files: { 'dot.png': png } })).text).toBe('Blind.')
    expect(bot.model.requests.map((body) => imagesIn(body).length)).toEqual([1, 0])
  })
})

describe('a restart', () => {
  const dot = { 'dot.png': png }

  test('before the answer sends the image again', async () => {
    const { bot, eyes } = await botWithEyes((_, number) => (number === 0 ? hang() : says('Seen.')), [])
    const response = await bot.chat.send('look', { files: dot })
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await until('the first request', () => eyes.requests.length === 1)
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    expect(eyes.requests.map(imagesIn)).toEqual([[urlOf(png)], [urlOf(png)]])
    expect(bot.model.requests).toEqual([])
  })

  test('after the first step does not, and the description is still there', async () => {
    const base: ModelScript = (_, number) => (number === 0 ? hang() : says('Done.'))
    const { bot, eyes } = await botWithEyes([calls('now', {}), says('There is a dot.')], base)
    const response = await bot.chat.send('look', { files: dot })
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await until('the second step', () => bot.model.requests.length === 1)
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    expect(eyes.requests).toHaveLength(2)
    expect(bot.model.requests.map(imagesIn)).toEqual([[], []])
    expect(wordsIn(bot.model.requests.at(-1))).toContain('There is a dot.')
  })

  test('with `retry` after a failed turn sends it again, because nobody has answered', async () => {
    const { bot, eyes } = await botWithEyes([status(400), says('Seen.')], [status(400)])
    const { conversation } = await bot.chat.say('look', { files: dot })
    await bot.chat.untilType(conversation, 'error')
    await bot.restart()
    await bot.chat.say('retry', { conversation })
    await bot.chat.untilType(conversation, 'complete')
    expect(eyes.requests.map(imagesIn)).toEqual([[urlOf(png)], [urlOf(png)]])
  })
})

test.each([
  ['brought', [], [true, true]],
  ['named, and nothing older', ['看看＃dot.png里有什么'], [true, false, false]],
])('`retry` after an answer shows again what the message %s', async (_, more, isNoteShown) => {
  const { bot, eyes } = await botWithEyes(() => says('Seen.'), [])
  const files = { 'dot.png': png, 'notes.txt': 'The dot is a planet.' }
  const { conversation } = await bot.chat.say('look', { files })
  for (const text of more) await bot.chat.say(text, { conversation })
  await bot.chat.say('retry', { conversation })
  await until('another look', () => eyes.requests.length === isNoteShown.length)
  expect(eyes.requests.map(imagesIn)).toEqual(isNoteShown.map(() => [urlOf(png)]))
  expect(eyes.requests.map((body) => wordsIn(body).includes('The dot is a planet.'))).toEqual(isNoteShown)
})
