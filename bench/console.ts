import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { databasePlace } from '../src/config/config.ts'
import { loadConfig } from '../src/config/load.ts'
import type { NewEvent } from '../src/domain/events.ts'
import { newId } from '../src/domain/ids.ts'
import { startBot } from '../src/main.ts'
import { appendEvents } from '../src/store/events.ts'
import { createSession } from '../src/store/new-session.ts'
import { Store } from '../src/store/store.ts'
import { builtinSections } from '../src/wiring/capabilities.ts'
import { frameCpu, traced } from './frame-cpu.ts'
import { at, atMost, median, ms, row } from './table.ts'

// A thread of 5,000 messages in the console, beside one of 50 in the same run: how long frames take while somebody
// scrolls to its beginning, what of that is the page's own work, and how long a typed character takes until it's on screen.

const turns = { ours: 2_500, theirs: 25 }
const longestMs = { frame: 100, key: 50 }
const patienceMs = 120_000
const person = { id: 'you', name: 'you' }

const answer = (number: number): string =>
  `Step **${number}** is done: see \`outputs/part-${number}.md\`.\n\n| part | value |\n|---|---|\n| a | ${number} |\n| b | ${number * 2} |\n\n- first point about the matter\n- second point, with a [link](https://example.com/${number})\n`

function eventsOfTurn(number: number): NewEvent[] {
  const turn_id = newId('turn')
  const call_id = newId('call')
  const call = { turn_id, call_id, tool_name: 'read_file' }
  return [
    {
      type: 'message',
      data: { message_id: newId('msg'), role: 'user', text: `Please do step ${number}.`, files: [], person },
    },
    { type: 'start', data: { turn_id, reason: 'message' } },
    { type: 'act', data: { ...call, tool_input: { path: `part-${number}.md` }, attempt: 1 } },
    { type: 'observe', data: { ...call, status: 'done', result: 'x'.repeat(400), duration_ms: 12 } },
    { type: 'complete', data: { turn_id, content: answer(number), files: [], steps: 2 } },
    {
      type: 'message',
      data: { message_id: newId('msg'), role: 'assistant', text: answer(number), files: [], turn_id },
    },
  ]
}

async function fill(store: Store, count: number): Promise<string> {
  const thread = { platform: 'console', tenant: 'local', project: 'general', thread: newId('msg') }
  const { id } = await store.transaction((tx) => createSession(tx, { thread, person, title: 'Long', timeZone: 'UTC' }))
  for (let from = 1; from <= count; from += 25) {
    const events = Array.from({ length: 25 }, (_, index) => eventsOfTurn(from + index)).flat()
    await store.transaction((tx) => appendEvents(tx, id, events))
  }
  return id
}

/** Runs work while the page notes how far apart its frames are, ms. */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`(() => {
    globalThis.frames = []
    let last = performance.now()
    const note = (now) => { frames.push(now - last); last = now; if (globalThis.frames) requestAnimationFrame(note) }
    requestAnimationFrame(note)
  })()`)
  await work()
  return page.evaluate('frames.splice(1)')
}

async function scrollToBeginning(page: Page): Promise<void> {
  await page.mouse.move(600, 400)
  const isAtBeginning = () =>
    page.evaluate("document.querySelector('.scroller').scrollTop < 5 && !document.querySelector('.earlier')")
  const end = performance.now() + patienceMs
  while (!(await isAtBeginning())) {
    if (performance.now() > end) throw new Error(`The beginning wasn't reached in ${patienceMs / 1000} s.`)
    await page.mouse.wheel(0, -5000)
  }
}

/** From a key to the frame after its character stands there, ms. */
async function typed(page: Page): Promise<number[]> {
  await page.evaluate(`(() => {
    globalThis.keys = []
    let down = 0
    addEventListener('keydown', () => { down = performance.now() }, true)
    addEventListener('input', () => requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - down))), true)
  })()`)
  await page.getByLabel('Message', { exact: true }).focus()
  for (const character of 'What about the next step, and the one after it?')
    await page.keyboard.press(character === ' ' ? 'Space' : character)
  await page.waitForTimeout(300)
  return page.evaluate('keys')
}

interface Figures {
  opened: number
  frames: number[]
  /** What each frame cost the page itself. */
  cpu: number[]
  keys: number[]
}

async function measure(browser: Browser, address: string, count: number): Promise<Figures> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const begun = performance.now()
  await page.goto(address)
  await page.getByText(`Please do step ${count}.`, { exact: true }).waitFor()
  const opened = performance.now() - begun
  // The first seconds are those of the page, not of scrolling.
  await page.waitForTimeout(1_000)
  await browser.startTracing(page, { categories: traced })
  const frames = await framesDuring(page, () => scrollToBeginning(page))
  const cpu = frameCpu(await browser.stopTracing())
  const keys = await typed(page)
  await page.close()
  return { opened, frames, cpu, keys }
}

function rows(what: string, ours: number[], theirs: number[], limit: number): void {
  const compare = (name: string, one: number, other: number, target = '') =>
    row(name, ms(one), ms(other), `${(one / other).toFixed(2)} times`, target)
  compare(`${ours.length} ${what}, median`, median(ours), median(theirs))
  compare('99 of 100 below', at(ours, 0.99), at(theirs, 0.99))
  compare('longest', Math.max(...ours), Math.max(...theirs), atMost(Math.max(...ours), limit, ' ms'))
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
  const environment = { BOBBIN_PORT: '0', BOBBIN_DATA_DIR: dataDir, BOBBIN_LOG_LEVEL: 'silent' }
  const loaded = loadConfig(environment, dataDir, builtinSections)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  const { config } = loaded
  const store = await Store.open(databasePlace(config), { now: () => Date.now() })
  const ids = { ours: await fill(store, turns.ours), theirs: await fill(store, turns.theirs) }
  await store.close()
  const bot = await startBot(config)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const figuresOf = (which: 'ours' | 'theirs') => measure(browser, `${bot.url}/#/general/${ids[which]}`, turns[which])
    const theirs = await figuresOf('theirs')
    const ours = await figuresOf('ours')
    row('', `${turns.ours * 2}`, `${turns.theirs * 2} messages`, 'ratio', 'target')
    row('until it is open', ms(ours.opened), ms(theirs.opened), `${(ours.opened / theirs.opened).toFixed(2)} times`)
    rows('frames while scrolling to its beginning', ours.frames, theirs.frames, longestMs.frame)
    rows('frames there, CPU of the page', ours.cpu, theirs.cpu, longestMs.frame)
    rows('characters typed there', ours.keys, theirs.keys, longestMs.key)
  } finally {
    await browser.close()
    await bot.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
