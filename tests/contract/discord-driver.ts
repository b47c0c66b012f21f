import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { type DiscordServer, type ShownMessage, startDiscordServer } from '../support/discord/server.ts'
import { until } from '../support/until.ts'
import { readWorkspace } from '../support/workspace.ts'
import type { Card, ChatDriver, OpenDriver, Seen, ThreadDriver } from './driver.ts'

const channel = 'general'

/** People in a Discord of our own, and the bot behind the real discord.js. */
export const openDiscord: OpenDriver = async (script, options = {}) => {
  const discord = await startDiscordServer()
  const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url }
  const bot = await startTestBot({
    script,
    environment,
    config: { show: options.show, access: options.access?.((person) => discord.users[person] ?? '') },
  })
  onTestFinished(async () => {
    await bot.stop()
    await discord.close()
  })
  await until('the commands', () =>
    discord.calls.some(({ path, status }) => path.endsWith('/commands') && status === 200),
  )
  const stage: Stage = { discord, bot, threads: new Set(), sent: [] }
  return {
    async mention(person, text, { files, copies } = {}) {
      const root = post(stage, person, channel, `<@${discord.botId}> ${text}`, { files: filesOf(files), copies })
      return threadDriver(stage, root, channel)
    },
    async restart() {
      await bot.restart()
      await until('the connection', () => discord.gateway.connected > 0)
    },
    modelCalls: () => bot.model.requests.length,
    modelHeard: () => JSON.stringify(bot.model.requests.at(-1)?.messages ?? []),
    chat: chatDriver(stage),
  }
}

interface Stage {
  discord: DiscordServer
  bot: TestBot
  threads: Set<string>
  /** What people wrote, by id. */
  sent: string[]
}

type PostOptions = Parameters<DiscordServer['people']['post']>[3]

const filesOf = (files: Record<string, string> = {}) =>
  Object.entries(files).map(([name, content]) => ({ name, content }))

function post({ discord, sent }: Stage, person: string, where: string, text: string, options?: PostOptions): string {
  const id = discord.people.post(person, where, text, options)
  sent.push(id)
  return id
}

/** The thread of a message: a person may make it as well as the bot. */
function opened({ discord, threads }: Stage, person: string, root: string): string {
  const exists = (() => {
    try {
      discord.view(root)
      return true
    } catch {
      return false
    }
  })()
  if (!exists) discord.people.createThread(person, channel, 'thread', { from: root })
  threads.add(root)
  return root
}

function chatDriver(stage: Stage): ChatDriver {
  const { discord, bot } = stage
  const mention = `<@${discord.botId}>`
  return {
    chatter: async (person, text, { files } = {}) => post(stage, person, channel, text, { files: filesOf(files) }),
    async mentionBelow(person, message, text) {
      post(stage, person, opened(stage, person, message), `${mention} ${text}`)
      return threadDriver(stage, message, channel)
    },
    below: async (person, message, text) => post(stage, person, opened(stage, person, message), text),
    edit: async (person, message, text) => discord.people.edit(person, message, text.replace('@bot', mention)),
    delete: async (_person, message) => discord.people.delete(message),
    async react(person, driver, what) {
      const { root } = driver as DiscordThread
      const target = own(discord, root).at(-1)?.id ?? root
      discord.people.react(person, target, what === 'again' ? '🔁' : '🛑')
    },
    async botMentions(text) {
      post(stage, 'loom', channel, `${mention} ${text}`)
    },
    async direct(person, text) {
      const direct = discord.people.direct(person)
      post(stage, person, direct, text)
      return threadDriver(stage, direct, direct)
    },
    async slash(person, words) {
      const shown = () => discord.view(channel).filter(({ ephemeralTo, loading }) => ephemeralTo === person && !loading)
      const before = shown().length
      discord.people.slash(person, channel, `bobbin ${words}`)
      return await until('the words', () => shown()[before]?.content)
    },
    idOf: (person) => discord.users[person] ?? '',
    pings: () =>
      [channel, ...stage.threads].flatMap((where) => own(discord, where)).flatMap(({ pinged }) => pinged).length,
    violations: () => discord.violations,
    async settled() {
      const last = stage.sent.at(-1)
      await until('what was written', () => last === undefined || isStored(bot, last))
    },
  }
}

/** Whether a message was received, or ignored with its reason. */
function isStored({ dataDir }: TestBot, message: string): boolean {
  const database = new Database(join(dataDir, 'bobbin.db'), { readonly: true })
  try {
    const key = `discord:%:${message}`
    const found = database.prepare(
      'SELECT 1 FROM inbox WHERE dedup_key LIKE @key UNION SELECT 1 FROM ignored WHERE dedup_key LIKE @key',
    )
    return found.get({ key }) !== undefined
  } finally {
    database.close()
  }
}

/** What the bot wrote where everybody reads it; nothing while there is no such thread. */
function own(discord: DiscordServer, where: string): ShownMessage[] {
  try {
    return discord.view(where).filter(({ author, ephemeralTo }) => author === botName && ephemeralTo === undefined)
  } catch {
    return []
  }
}

const botName = 'bobbin'

type DiscordThread = ThreadDriver & { root: string }

const isCard = ({ components }: ShownMessage): boolean => components.some(({ type }) => type === 17)
const isProgress = ({ buttons }: ShownMessage): boolean => buttons.some(({ label }) => label === 'Stop')
/** What a stopped turn has left is no answer. */
const isStopped = ({ content }: ShownMessage): boolean => /-# stopped by/i.test(content)

/** Without the small print, which tells what was done. */
const proseOf = ({ content }: ShownMessage): string => content.replace(/^-# .*\n?/gm, '').trim()

/** Answers, each with the files that came with it or after it. */
function postsOf(shown: ShownMessage[]): Seen['posts'] {
  const posts: Seen['posts'] = []
  for (const one of shown) {
    if (isCard(one) || isProgress(one) || isStopped(one)) continue
    const files = one.attachments.map(({ name }) => name)
    const text = proseOf(one)
    if (text === '' && posts.length > 0) posts.at(-1)?.files.push(...files)
    else if (text !== '' || files.length > 0) posts.push({ text, files })
  }
  return posts
}

function openCard({ buttons, selects, content }: ShownMessage): Omit<Card, 'outcome'> {
  const labels = buttons.map(({ label }) => label)
  const choices = [
    ...labels.filter((label) => !/else|why|skip|answer/i.test(label)),
    ...selects.flatMap(({ options }) => options.map(({ label }) => label)),
  ]
  return { kind: labels.includes('Approve') ? 'approval' : 'question', title: content, choices }
}

function threadDriver(stage: Stage, root: string, place: string): DiscordThread {
  const { discord, bot } = stage
  stage.threads.add(root)
  /** As they were when they still had buttons. */
  const cards = new Map<string, Omit<Card, 'outcome'>>()
  /** Discord shows people's marks with their names. */
  const named = (text: string) => text.replace(/<@(\d+)>/g, (mark, id) => nameOf(discord, id) ?? mark)

  function cardOf(shown: ShownMessage): Card {
    const open = shown.buttons.length + shown.selects.length > 0
    if (open && !cards.has(shown.id)) cards.set(shown.id, openCard(shown))
    const card = cards.get(shown.id) ?? { kind: 'question' as const, title: '', choices: [] }
    return { ...card, outcome: open ? undefined : named(shown.content) }
  }

  function look(): Seen {
    const shown = own(discord, root)
    return {
      posts: postsOf(shown),
      cards: shown.filter(isCard).map(cardOf),
      alarms: shown.flatMap(({ content }) => /⏰ ?(.*)/.exec(content)?.[1] ?? []),
      notices: shown.flatMap(({ content }) => content.match(/⚠ .+/g) ?? []),
      progress: shown.filter((one) => isProgress(one) || isStopped(one)).map(({ content }) => content),
    }
  }

  const latestCard = () => {
    look()
    const card = own(discord, root).findLast(isCard)
    if (card === undefined) throw new Error('there is no card')
    return card
  }
  const told = (person: string) => discord.view(root).filter(({ ephemeralTo }) => ephemeralTo === person)

  async function form(person: string, button: RegExp, values: Record<string, string>): Promise<void> {
    const card = latestCard()
    const label = card.buttons.find((one) => button.test(one.label))?.label
    if (label === undefined) throw new Error(`no button ${button}`)
    await discord.people.click(person, card.id, label).answered
    await discord.people.submitModal(person, values).answered
  }

  const where = (person: string) => (place === channel ? opened(stage, person, root) : place)

  return {
    root,
    async say(person, text, { files, copies, mention } = {}) {
      const words = mention ? `<@${discord.botId}> ${text}` : text
      return post(stage, person, where(person), words, { files: filesOf(files), copies })
    },
    async click(person, choice) {
      const card = latestCard()
      const label = card.buttons.find((one) => one.label.includes(choice))?.label
      // A decided card has no buttons: nobody can click it any more.
      if (label === undefined) return 'too-late'
      const before = told(person).length
      discord.people.click(person, card.id, label)
      return await until('what became of the click', () => {
        const words = told(person)[before]?.content
        if (words !== undefined) return /may not|not in the list/i.test(words) ? 'not-allowed' : 'too-late'
        const now = own(discord, root).find(({ id }) => id === card.id)
        return now?.buttons.length === 0 && named(now.content).includes(person) ? 'taken' : undefined
      })
    },
    async choose(person, choices) {
      const card = latestCard()
      await discord.people.select(person, card.id, card.selects[0]?.customId ?? '', choices).answered
    },
    write: (person, text) => form(person, /else|answer/i, { text }),
    denyBecause: (person, reason) => form(person, /why/i, { reason }),
    async stop(person) {
      const progress = await until('the button', () => own(discord, root).find(isProgress))
      discord.people.click(person, progress.id, 'Stop')
      await until('the end', () => own(discord, root).some(isStopped))
    },
    see: async () => look(),
    until: (fits) =>
      until('what is to be seen', () => {
        const seen = look()
        return fits(seen) ? seen : undefined
      }),
    download: (path) => readWorkspace(bot, root, path),
  }
}

const nameOf = (discord: DiscordServer, id: string): string | undefined =>
  Object.entries(discord.users).find(([, user]) => user === id)?.[0]
