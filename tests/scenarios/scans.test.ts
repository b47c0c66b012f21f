import { writeFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import { expect, onTestFinished, test } from 'vitest'
import { grey, type TiffField, tiff } from '../documents/pictures/make-tiff.ts'
import { photographed } from '../documents/pictures/scans.ts'
import { aWord, standIn } from '../documents/pictures/stand-in.ts'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, type ModelScript, says, startModelServer, status } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { eventually, until } from '../support/until.ts'

const recognition = {
  by: 'auto',
  tesseract: '/nonexistent/tesseract',
  languages: [],
  page_ms: 60_000,
  memory_bytes: 1_073_741_824,
  pixels: 100_000,
  pages: 1000,
  ask_from: 20,
}

/** Calls the tool that a message names, `search_file {"query": "…"}`, and says what came of it. */
const obedient: ModelScript = ({ messages }) => {
  const last = messages.at(-1)
  if (last?.role === 'tool') return says(String(last.content))
  const [, name = '', input = '{}'] = /(\w+_\w+) (\{.*\})/.exec(String(last?.content)) ?? []
  return name === '' ? says('Fine.') : calls(name, JSON.parse(input))
}

const botWith = (own: Partial<typeof recognition>, options: TestBotOptions = {}) =>
  startTestBot({
    script: obedient,
    config: { sections: { documents: { recognition: { ...recognition, ...own } } } },
    ...options,
  })

/** Pages of different widths, so that a stand-in can tell them apart; the first has text of its own, as all have with a stamp. */
async function mixed(widths: number[], stamp?: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.addPage([595, 842]).drawText('The cover has letters.', { x: 60, y: 700 })
  const picture = await pdf.embedJpg(photographed('A scanned page.'))
  for (const width of widths) {
    const page = pdf.addPage([width, 500])
    page.drawImage(picture, { x: 0, y: 0, width, height: 500 })
    if (stamp !== undefined) page.drawText(stamp, { x: 20, y: 450, size: 8 })
  }
  return pdf.save()
}

const asked = async (bot: TestBot, conversation: string, text: string): Promise<string> =>
  (await bot.chat.say(text, { conversation })).text ?? ''

/** The same for a call that a person has to approve, and does. */
async function approved(bot: TestBot, conversation: string, text: string) {
  // It ends when the turn waits.
  await bot.chat.say(text, { conversation })
  const ends = async () => ofType(await bot.chat.events(conversation), 'complete')
  const before = (await ends()).length
  const [card] = await bot.chat.requests()
  await bot.chat.answer(card?.id ?? '', { decision: 'approve' })
  const all = await until('the answer', async () => {
    const now = await ends()
    return now.length > before && now
  })
  return { card: JSON.stringify(card), answer: all.at(-1)?.data.content }
}

test('the pages of a scan are recognized in the background, found, and shown as such', async () => {
  const bot = await botWith({ tesseract: await standIn() })
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  await eventually(async () => {
    const found = await asked(bot, conversation, 'search_file {"query": "wide244"}')
    expect(found).toContain('uploads/scan.pdf, page 3, recognized from a picture')
    expect(found).toContain('**wide244**')
  })
  const read = await asked(bot, conversation, 'read_file {"path": "uploads/scan.pdf"}')
  expect(read).toContain('The cover has letters.')
  expect(read).toMatch(/Page 2 of 3 ---\n\[recognized from a picture: it may contain errors\]\n\nwide200/)
  expect(read).not.toContain('probably scanned')
})

test('a page in which nothing was recognized is named, so that nobody takes it for an empty one', async () => {
  const unsure = aWord().replace('96.5', '30')
  const bot = await botWith({ tesseract: await standIn(`if ($width < 210) { ${unsure} } else { ${aWord()} }`) })
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  await until('both pages', () => stored(bot).pages === 2)
  const read = await asked(bot, conversation, 'read_file {"path": "uploads/scan.pdf", "part": "2"}')
  expect(read).toContain('No text was recognized on page 2: it may be blank, a picture or handwriting')
  expect(read).not.toContain('probably scanned')
  const search = await asked(bot, conversation, 'search_file {"query": "heron", "path": "uploads/scan.pdf"}')
  expect(search).toContain('No text was recognized on page 2')
})

test('a page with a stamp on a scanned letter shows both', async () => {
  const bot = await botWith({ tesseract: await standIn() })
  const files = { 'stamped.pdf': await mixed([300], 'RECEIVED') }
  const { conversation } = await bot.chat.say('hello', { files })
  const read = 'read_file {"path": "uploads/stamped.pdf"}'
  await eventually(async () => {
    const page = /Page 2 of 2 ---\nRECEIVED\n\n\[recognized from a picture: it may contain errors\]\n\nwide244\n/
    expect(await asked(bot, conversation, read)).toMatch(page)
  })
  expect(await asked(bot, conversation, read)).not.toContain('was not read')
})

test('a photo is recognized, too', async () => {
  const bot = await botWith({ tesseract: await standIn(aWord('receipt')) })
  const { conversation } = await bot.chat.say('hello', { files: { 'receipt.jpg': photographed('Total 12.50') } })
  await eventually(async () => {
    const found = await asked(bot, conversation, 'search_file {"query": "receipt265"}')
    expect(found).toContain('uploads/receipt.jpg, section 1, recognized from a picture')
  })
  const read = await asked(bot, conversation, 'read_file {"path": "uploads/receipt.jpg"}')
  expect(read).toContain('JPEG image, 1240 × 1754 pixels.\n\n[recognized from a picture')
})

test('the pages of a TIFF are recognized as those of a PDF are', async () => {
  const bot = await botWith({ tesseract: await standIn() })
  const pages = [grey(200, 100), grey(300, 100)].map((page) => [
    ...page,
    [283, [72]] as TiffField,
    [282, [72]] as TiffField,
  ])
  const file = tiff(Buffer.alloc(30_000, 9), pages)
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.tif': file } })
  await eventually(async () => {
    const found = await asked(bot, conversation, 'search_file {"query": "wide547"}')
    expect(found).toMatch(/uploads\/scan\.tif, page 2, recognized from a picture/)
  })
})

test('without a model that sees and without Tesseract, the remedy is told', async () => {
  const bot = await botWith({})
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200]) } })
  for (const call of ['search_file {"query": "anything"}', 'read_file {"path": "uploads/scan.pdf"}']) {
    const said = await asked(bot, conversation, call)
    expect(said).toMatch(/The text of page 2 can’t be read here\. .*install tesseract-ocr.*MODEL_VISION_API_KEY/)
  }
})

test('a page about which Tesseract prints garbage is named, the others are read, and it is tried again later', async () => {
  const does = `if ($width < 210 && !-e "$0.rested") { print "\\x00\\xff\\t" x 3_000_000 } else { ${aWord()} }`
  const tesseract = await standIn(does)
  const bot = await botWith({ tesseract })
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  await eventually(async () => {
    const found = await asked(bot, conversation, 'search_file {"query": "wide244"}')
    expect(found).toContain('uploads/scan.pdf, page 3, recognized from a picture')
    expect(found).toContain('Page 2 could not be recognized. Ask for it again after 10 minutes')
  })
  await writeFile(`${tesseract}.rested`, '')
  const longAgo = (tries: number) =>
    changeIn(
      bot.database,
      `update recognized_pages set made_at = made_at - 660000, tries = ${tries} where text is null`,
    )
  const search = 'search_file {"query": "wide200"}'
  longAgo(3)
  expect(await asked(bot, conversation, search)).toMatch(
    /Page 2 could not be drawn or recognized: damaged, .* Ask for the file again, as a PDF, PNG or JPEG\./,
  )
  longAgo(2)
  await eventually(async () => {
    expect(await asked(bot, conversation, search)).toContain('page 2, recognized from a picture')
  })
})

/** A bot whose vision model reads pages, each at 0.1 dollars, and says how often it was asked. */
async function botThatSees(own: Partial<typeof recognition>, seeing: ModelScript) {
  const eyes = await startModelServer(seeing)
  onTestFinished(() => eyes.close())
  const environment = {
    MODEL_VISION_BASE_URL: eyes.url,
    MODEL_VISION_ID: 'eyes',
    MODEL_VISION_API_KEY: 'k',
    MODEL_VISION_PRICE_INPUT: '0',
    MODEL_VISION_PRICE_OUTPUT: '100',
  }
  return { eyes, bot: await botWith(own, { environment }) }
}

const usage = { input: 900, output: 1_000, cached: 0 }
const isPage = (body: object): boolean => JSON.stringify(body).includes('You are shown a page of a document')

test('the vision model reads each page once: for every thread, and over a restart', async () => {
  const { bot, eyes } = await botThatSees({}, (_, number) => ({ ...says(`The heron number ${number} stands.`), usage }))
  const files = { 'scan.pdf': await mixed([200, 300]) }
  const { conversation } = await bot.chat.say('hello', { files })
  const search = 'search_file {"query": "heron"}'
  await eventually(async () => {
    expect(await asked(bot, conversation, search)).toContain('2 passages of 1 file')
  })
  await bot.restart()
  const other = await bot.chat.say('hello', { files })
  await eventually(async () => {
    expect(await asked(bot, other.conversation, search)).toContain('page 3, recognized from a picture')
  })
  expect(eyes.requests.filter(isPage)).toHaveLength(2)
  expect(JSON.stringify(eyes.requests[0])).toContain('image/jpeg;base64')
  expect(JSON.stringify(await bot.chat.get('/usage?by=model'))).toMatch(/"eyes".*0\.2\b/)
})

test('of a page for which one reply is too short, what came is shown, and that the rest is missing', async () => {
  const { bot } = await botThatSees({}, () => ({ ...says('The heron stands'), finish: 'length', usage }))
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200]) } })
  await eventually(async () => {
    const page = /Page 2 of 2 ---\n.*\n\nThe heron stands\n\n\[The rest of this page is missing/
    expect(await asked(bot, conversation, 'read_file {"path": "uploads/scan.pdf"}')).toMatch(page)
  })
})

test('what costs much is read once a person has agreed to it', async () => {
  const { bot, eyes } = await botThatSees({ ask_from: 2 }, () => ({ ...says('The heron stands.'), usage }))
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  const told = await asked(bot, conversation, 'search_file {"query": "heron"}')
  const [, input = ''] = /costs about \$0\.24, so a person has to agree: call read_scan with (\{.*?\})/.exec(told) ?? []
  expect(input).toBe('{"path":"uploads/scan.pdf","pages":2,"usd":0.24}')
  expect(eyes.requests.filter(isPage)).toHaveLength(0)
  const { card, answer } = await approved(bot, conversation, `read_scan ${input}`)
  expect(card).toContain('0.24')
  expect(answer).toContain('reading has begun, by eyes')
  await eventually(async () => {
    expect(await asked(bot, conversation, 'search_file {"query": "heron"}')).toContain('page 3, recognized')
  })
  expect(eyes.requests.filter(isPage)).toHaveLength(2)
})

test('more pages, or a higher price, than a person agreed to is refused', async () => {
  const { bot, eyes } = await botThatSees({ ask_from: 2 }, () => ({ ...says('The heron stands.'), usage }))
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  const scan = 'read_scan {"path": "uploads/scan.pdf", "pages": 2, "usd": 0.01}'
  const { answer } = await approved(bot, conversation, scan)
  expect(answer).toContain('2 pages are to be read, for about $0.24: more than was asked for.')
  expect(eyes.requests.filter(isPage)).toHaveLength(0)
})

/** Jobs that read scans, and pages that were read. */
function stored(bot: TestBot): { jobs: number; pages: number } {
  const count = (query: string) => rowsIn(bot.database, query).length
  return { jobs: count("select 1 from jobs where kind = 'recognize'"), pages: count('select 1 from recognized_pages') }
}

test.each(['stop', 'delete yes'])('%s ends the reading', async (how) => {
  const does = `if ($width > 210) { sleep 600 } ${aWord()}`
  const bot = await botWith({ tesseract: await standIn(does) })
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  await until('the first page', () => stored(bot).pages === 1)
  await bot.chat.say(`@bobbin ${how}`, { conversation })
  await until('the end', () => stored(bot).jobs === 0)
  if (how !== 'stop') await until('the text to go', () => stored(bot).pages === 0)
})

test('a scan that could not be read, because the model was down, is tried again when it is asked for later', async () => {
  let isDown = true
  const { bot, eyes } = await botThatSees({}, () => (isDown ? status(404) : { ...says('The heron stands.'), usage }))
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed([200]) } })
  await until('a try', () => eyes.requests.some(isPage))
  const change = (sql: string) => changeIn(bot.database, sql)
  const search = 'search_file {"query": "heron"}'
  // As if it had failed as often as it may.
  change("update jobs set state = 'failed', holder = null, reason = 'down', epoch = epoch + 1 where kind = 'recognize'")
  isDown = false
  expect(await asked(bot, conversation, search)).toContain('could not be recognized: down')
  change("update jobs set updated_at = updated_at - 660000 where kind = 'recognize'")
  await eventually(async () => expect(await asked(bot, conversation, search)).toContain('page 2, recognized'))
})

test('a process that is killed between two pages asks again only for the page that it was reading', async () => {
  let isHanging = true
  const eyes = await startModelServer((_, number) =>
    number > 0 && isHanging ? { ...says('The heron waits.'), hangAfter: 0 } : { ...says('The heron stands.'), usage },
  )
  onTestFinished(() => eyes.close())
  const environment = { MODEL_VISION_BASE_URL: eyes.url, MODEL_VISION_ID: 'eyes', MODEL_VISION_API_KEY: 'k' }
  const place = await openPlace({ script: obedient, environment })
  const first = await place.start()
  const { conversation } = await first.chat.say('hello', { files: { 'scan.pdf': await mixed([200, 300]) } })
  await until('the second page', () => eyes.requests.length === 2)
  first.signal('SIGKILL')
  await first.ended
  isHanging = false
  const { chat } = await place.start()
  await eventually(async () => {
    const { text } = await chat.say('search_file {"query": "heron"}', { conversation })
    expect(text).toContain('2 passages of 1 file')
  })
  const [one, two, again, ...more] = eyes.requests.map(({ messages }) => JSON.stringify(messages))
  expect(more).toEqual([])
  expect(again).toBe(two)
  expect(again).not.toBe(one)
})

test('a scan of very many pages is read as far as the limit goes, and says so', async () => {
  const bot = await botWith({ tesseract: await standIn(), pages: 2 })
  const widths = Array.from({ length: 12 }, (_, index) => 200 + 10 * index)
  const { conversation } = await bot.chat.say('hello', { files: { 'scan.pdf': await mixed(widths) } })
  await eventually(async () => {
    const read = await asked(bot, conversation, 'read_file {"path": "uploads/scan.pdf", "part": "1-4"}')
    expect(read).toMatch(/Page 3 of 13 ---\n\[recognized from a picture/)
    expect(read).toMatch(/Page 4 of 13 ---\n\(no text\)/)
    expect(read).toContain('Only 2 scanned pages of a document are read: the rest was left out.')
    expect(read).not.toContain('still being read')
  })
})
