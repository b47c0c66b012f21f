import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { type Shown, type SlackServer, startSlackServer } from '../support/slack/server.ts'
import { readWorkspace } from '../support/workspace.ts'
import type { Card, ChatDriver, OpenDriver, Seen, ThreadDriver } from './driver.ts'

const channel = 'general'

/** People in a Slack of our own, and the bot behind the real bolt. */
export const openSlack =
  (transport: 'socket' | 'http'): OpenDriver =>
  async (script, options = {}) => {
    const slack = await startSlackServer({ redeliveryMs: [150, 150, 150] })
    const port = transport === 'http' ? await freePort() : undefined
    const bot = await startTestBot({
      script,
      environment: {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_API_URL: slack.apiUrl,
        ...(port === undefined ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
      },
      slackPort: port,
      config: { show: options.show, access: options.access?.((person) => slack.user(person)) },
    })
    if (port !== undefined) slack.deliverTo(`http://127.0.0.1:${port}/slack/events`)
    onTestFinished(async () => {
      await bot.stop()
      await slack.close()
    })
    const thread = (ts: string, place = channel) => threadDriver(slack, bot, ts, place)
    return {
      async mention(person, text, { files, copies } = {}) {
        const ts = slack.people.mention(person, channel, text, { files: filesOf(files), copies })
        return thread(ts)
      },
      restart: bot.restart,
      modelCalls: () => bot.model.requests.length,
      modelHeard: () => JSON.stringify(bot.model.requests.at(-1)?.messages ?? []),
      chat: chatDriver(slack, thread),
    }
  }

const filesOf = (files: Record<string, string> = {}) =>
  Object.entries(files).map(([name, content]) => ({ name, content }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function chatDriver(slack: SlackServer, thread: (ts: string, place?: string) => ThreadDriver): ChatDriver {
  return {
    chatter: async (person, text, { files } = {}) =>
      slack.people.post(person, channel, text, { files: filesOf(files) }),
    async mentionBelow(person, message, text) {
      slack.people.mention(person, channel, text, { thread_ts: message })
      return thread(message)
    },
    below: async (person, message, text) => slack.people.post(person, channel, text, { thread_ts: message }),
    edit: async (person, message, text) =>
      void slack.people.edit(person, message, text.replace('@bot', slack.bot.mention)),
    delete: async (person, message) => slack.people.delete(person, message),
    async react(person, driver, what) {
      const { ts } = driver as SlackThread
      const own = slack.view(channel, ts).filter(({ user, ephemeralTo }) => user === slack.bot.id && !ephemeralTo)
      const target = own.at(-1)?.ts ?? ts
      slack.people.react(person, target, what === 'again' ? 'repeat' : 'octagonal_sign')
    },
    async botMentions(text) {
      slack.people.botPost(channel, `${slack.bot.mention} ${text}`, { legacy: false })
    },
    async direct(person, text) {
      return thread(slack.people.post(person, `@${person}`, text), `@${person}`)
    },
    async slash(person, words) {
      const before = slack.view(channel).length
      await slack.people.slash(person, '/bobbin', words, channel)
      return slack.until(
        () =>
          slack
            .view(channel)
            .slice(before)
            .find(({ ephemeralTo }) => ephemeralTo === slack.user(person))?.text,
      )
    },
    idOf: (person) => slack.user(person),
    pings: () => pingsOf(slack),
    violations: () => slack.violations,
    settled: () => slack.idle(),
  }
}

/** What Slack would notify for: marks of users, groups and everybody in what the bot posted. */
function pingsOf(slack: SlackServer): number {
  const posted = slack.callsTo('chat.postMessage').concat(slack.callsTo('chat.update'))
  const marks = /<!(channel|here|everyone|subteam)|<@[UW]|(?<![\w​⁠])@(channel|here|everyone)\b/
  return posted.filter(({ args }) => marks.test(JSON.stringify([args.text ?? '', args.blocks ?? '']))).length
}

type SlackThread = ThreadDriver & { ts: string }

const isAnswer = (shown: Shown): boolean => keyOf(shown)?.startsWith('msg_') === true && !shown.streaming

function keyOf({ metadata }: Shown): string | undefined {
  const payload = metadata?.event_payload as { key?: string } | undefined
  return payload?.key
}

/** A message that goes on: it streams, or its plan is at work. */
const isProgress = ({ streaming, blocks }: Shown): boolean =>
  streaming || JSON.stringify(blocks).includes('"status":"in_progress"')

/** What a stopped turn has left is no answer. */
const isStopped = ({ text }: Shown): boolean => /stopped by/i.test(text)

const proseOf = ({ blocks, text }: Shown): string => {
  const prose = blocks.filter(({ type }) => type === 'markdown').map((block) => String(block.text))
  return prose.length === 0 ? text : prose.join('\n\n')
}

/** Answers, each with the files that were posted after it. */
function postsOf(shown: Shown[]): Seen['posts'] {
  const posts: Seen['posts'] = []
  for (const one of shown) {
    const last = posts.at(-1)
    const files = one.files.map(({ name }) => name)
    if (files.length > 0 && last !== undefined) last.files.push(...files)
    else if (isAnswer(one) && !isProgress(one) && !isStopped(one)) posts.push({ text: proseOf(one), files })
  }
  return posts
}

function openCard({ buttons, menus, text }: Shown): Omit<Card, 'outcome'> {
  const labels = buttons.map(({ label }) => label)
  const common = /else|why|skip|decline|send|done/i
  const choices = [
    ...labels.filter((label) => !common.test(label)),
    ...menus.flatMap(({ options }) => options.map(({ label }) => label)),
  ]
  const kind = labels.includes('Approve') ? 'approval' : 'question'
  return { kind, title: text, choices }
}

function threadDriver(slack: SlackServer, bot: TestBot, ts: string, place: string): SlackThread {
  /** As they were when they still had buttons. */
  const cards = new Map<string, Omit<Card, 'outcome'>>()
  const own = () => slack.view(place, ts).filter(({ user, ephemeralTo }) => user === slack.bot.id && !ephemeralTo)

  function cardOf(shown: Shown): Card {
    const open = shown.buttons.length + shown.menus.length > 0
    if (open && !cards.has(shown.ts)) cards.set(shown.ts, openCard(shown))
    const card = cards.get(shown.ts) ?? { kind: 'question' as const, title: '', choices: [] }
    return { ...card, outcome: open ? undefined : shown.text }
  }

  function look(): Seen {
    const shown = own()
    return {
      posts: postsOf(shown),
      cards: shown.filter((one) => keyOf(one)?.startsWith('card_')).map(cardOf),
      alarms: shown.flatMap(({ text }) => /⏰ ?(.*)/.exec(text)?.[1] ?? []),
      notices: shown.flatMap((one) => JSON.stringify(one.blocks).match(/⚠ [^"]+/g) ?? []),
      progress: shown.filter((one) => isProgress(one) || isStopped(one)).map(({ text }) => text),
    }
  }

  const openCards = () => {
    look()
    return own().filter((one) => keyOf(one)?.startsWith('card_') && one.buttons.length + one.menus.length > 0)
  }
  const latestCard = () => {
    look()
    const card = own().findLast((one) => keyOf(one)?.startsWith('card_'))
    if (card === undefined) throw new Error('there is no card')
    return card
  }
  const told = (person: string) =>
    slack.view(place, ts).filter(({ ephemeralTo }) => ephemeralTo === slack.user(person)).length

  async function form(person: string, button: RegExp, value: string): Promise<void> {
    const card = openCards().at(-1)
    const control = card?.buttons.find(({ label }) => button.test(label))
    if (card === undefined || control === undefined) throw new Error(`no button ${button}`)
    await slack.people.click(person, card.ts, control.action_id)
    const view = await slack.until(() => slack.people.modal(person))
    const [field] = view.fields
    await slack.people.submit(person, view.id, { [field?.block_id ?? '']: value })
  }

  return {
    ts,
    async say(person, text, { files, copies, mention } = {}) {
      const options = { thread_ts: ts, files: filesOf(files), copies }
      return mention
        ? slack.people.mention(person, place, text, options)
        : slack.people.post(person, place, text, options)
    },
    async click(person, choice) {
      const card = latestCard()
      const before = told(person)
      const stale = !card.buttons.some(({ label }) => label.includes(choice))
      const known = card.buttons.find(({ label }) => label.includes(choice))
      await slack.people.click(person, card.ts, known?.action_id ?? choice, { stale })
      return slack.until(() => {
        if (told(person) > before) {
          const words = slack.view(place, ts).findLast(({ ephemeralTo }) => ephemeralTo === slack.user(person))?.text
          return /may not|not in the list/i.test(words ?? '') ? 'not-allowed' : 'too-late'
        }
        const now = own().find((one) => one.ts === card.ts)
        const done = now !== undefined && now.buttons.length === 0 && now.text.toLowerCase().includes(person)
        return done && !stale ? 'taken' : undefined
      })
    },
    async choose(person, choices) {
      const card = latestCard()
      const menu = card.menus[0]
      if (menu === undefined) throw new Error('there is no menu')
      await slack.people.click(person, card.ts, menu.action_id, { value: choices })
      const button = card.buttons.find(({ label }) => /send|done|submit|ok/i.test(label))
      if (button) await slack.people.click(person, card.ts, button.action_id)
    },
    write: (person, text) => form(person, /else/i, text),
    denyBecause: (person, reason) => form(person, /why/i, reason),
    async stop(person) {
      await slack.until(() => slack.callsTo('chat.startStream').length > 0 || slack.deliveries.length > 0)
      slack.people.mention(person, place, 'stop', { thread_ts: ts })
    },
    see: async () => look(),
    until: (fits) =>
      slack.until(() => {
        const seen = look()
        return fits(seen) ? seen : undefined
      }, 10_000),
    download: (path) => readWorkspace(bot, ts, path),
  }
}
