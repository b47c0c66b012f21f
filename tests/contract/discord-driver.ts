import { onTestFinished } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { type DiscordServer, type ShownMessage, startDiscordServer } from '../support/discord/server.ts'
import { rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { readWorkspace } from '../support/workspace.ts'
import { discordCards, readable } from './discord-cards.ts'
import type { ChatDriver, OpenDriver, Seen, ThreadDriver } from './driver.ts'

const channel = 'general'

/** Drives the bot, behind the real discord.js, through the people of a fake Discord. */
export const openDiscord: OpenDriver = async (script, options = {}) => {
  const discord = await startDiscordServer({ roles: ['owners'] })
  const environment = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
    BOBBIN_CONFIG_DIR: options.configDir ?? '',
    ...options.environment,
  }
  const bot = await startTestBot({
    script,
    environment,
    config: {
      show: options.show,
      access: options.access?.((person) => discord.users[person] ?? ''),
      rules: options.rules?.({
        person: (name) => discord.users[name] ?? '',
        group: (name) => discord.roles[name] ?? '',
      }),
    },
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
    async setGroup(group, people) {
      for (const person of Object.keys(discord.users)) {
        if (people.includes(person)) discord.people.giveRole(person, group)
        else discord.people.takeRole(person, group)
      }
      return true
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
  /** People's messages by id. */
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

/** The thread of a message, which a person or the bot may have created. */
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
    deleteLatest: async (_person, driver) =>
      discord.people.delete(own(discord, (driver as DiscordThread).root).at(-1)?.id ?? ''),
    async react(person, driver, what, to = 'last') {
      const { root } = driver as DiscordThread
      const target = own(discord, root).at(to === 'first' ? 0 : -1)?.id ?? root
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
    shutOut: () => discord.misbehave.deny(channel, 'SendMessagesInThreads'),
    letIn: () => discord.misbehave.allow(channel, 'SendMessagesInThreads'),
    toldAlone: (person) => own(discord, discord.people.direct(person)).map(proseOf),
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
function isStored({ database }: TestBot, message: string): boolean {
  const known = `dedup_key like 'discord:%:${message}'`
  const query = `select 1 from inbox where ${known} union select 1 from ignored where ${known}`
  return rowsIn(database, query).length > 0
}

/** The bot's public messages in a thread; none while there is no such thread. */
function own(discord: DiscordServer, where: string): ShownMessage[] {
  try {
    return discord.view(where).filter(({ author, ephemeralTo }) => author === botName && ephemeralTo === undefined)
  } catch {
    return []
  }
}

const botName = 'bobbin'

type DiscordThread = ThreadDriver & { root: string }

const isBlock = ({ components }: ShownMessage): boolean => components.some(({ type }) => type === 17)
const isPlan = (one: ShownMessage): boolean => isBlock(one) && /^\*\*.* of \d+ steps? done\*\*/.test(one.content)
const isCard = (one: ShownMessage): boolean => isBlock(one) && !isPlan(one)
const isProgress = ({ buttons }: ShownMessage): boolean => buttons.some(({ label }) => label === 'Stop')
/** What remains of a stopped turn isn't an answer. */
const isStopped = ({ content }: ShownMessage): boolean => /-# stopped by/i.test(content)

/** The text without the small print that sums up the turn. */
const proseOf = ({ content }: ShownMessage): string => content.replace(/^-# .*\n?/gm, '').trim()

/** Answers, each with the files that came with it or after it. */
function postsOf(shown: ShownMessage[]): Seen['posts'] {
  const posts: Seen['posts'] = []
  for (const one of shown) {
    if (isBlock(one) || isProgress(one) || isStopped(one)) continue
    const files = one.attachments.map(({ name }) => name)
    const text = proseOf(one)
    if (text === '' && posts.length > 0) posts.at(-1)?.files.push(...files)
    else if (text !== '' || files.length > 0) posts.push({ text, files })
  }
  return posts
}

function threadDriver(stage: Stage, root: string, place: string): DiscordThread {
  const { discord, bot } = stage
  stage.threads.add(root)
  const told = (person: string) => discord.view(root).filter(({ ephemeralTo }) => ephemeralTo === person)
  const words = (person: string) => told(person).map(({ content }) => readable(discord, content))
  const cards = discordCards({ discord, told: words, shown: () => own(discord, root).filter(isCard) })

  function look(): Seen {
    const shown = own(discord, root)
    return {
      posts: postsOf(shown),
      cards: cards.all(),
      alarms: shown.flatMap(({ content }) => /⏰ ?(.*)/.exec(content)?.[1] ?? []),
      notices: shown.flatMap(({ content }) => content.match(/⚠ .+/g) ?? []),
      progress: shown.filter((one) => isProgress(one) || isStopped(one) || isPlan(one)).map(({ content }) => content),
    }
  }

  const where = (person: string) => (place === channel ? opened(stage, person, root) : place)

  return {
    root,
    async say(person, text, { files, copies, mention } = {}) {
      const words = mention ? `<@${discord.botId}> ${text}` : text
      return post(stage, person, where(person), words, { files: filesOf(files), copies })
    },
    ...cards.hands,
    told: words,
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
