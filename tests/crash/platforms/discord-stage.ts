import { type Call, type DiscordServer, type ShownMessage, startDiscordServer } from '../../support/discord/server.ts'
import type { Moment } from '../plan.ts'
import { chance } from '../random.ts'
import { discordTroubles } from './discord-troubles.ts'
import { OneAtATime } from './one-at-a-time.ts'
import type { Clicked, Place, Saying, Seen, Stage } from './stage.ts'

const people = ['ana', 'ben', 'cleo', 'dan', 'eve', 'finn']
const channels = ['general', 'random', 'harbour', 'orchard']

/** Shorter than Discord's few minutes, during which the bot restarts many times, so that it can't rely on nonces alone. */
const nonceMemoryMs = 2_500

const made = (pattern: RegExp, method: string) => (call: Call) => call.method === method && pattern.test(call.path)
const posted = made(/\/channels\/\d+\/messages$/, 'POST')
const wrote = (call: Call, what: string) => JSON.stringify(call.body ?? '').includes(what)

/** Calls at which the bot can be killed. */
const isIt: Partial<Record<Moment, (call: Call) => boolean>> = {
  streaming: (call) => wrote(call, ':stop:') || made(/\/messages\/\d+$/, 'PATCH')(call),
  posting: posted,
  card: (call) => posted(call) && wrote(call, '"type":17'),
  upload: ({ files }) => files.length > 0,
  thread: made(/\/threads$/, 'POST'),
}

/** A server with its people, in this process. */
export async function openDiscordStage(nodes = 1): Promise<Stage> {
  const discord = await startDiscordServer({
    people: people.slice(3),
    channels: channels.slice(2),
    nonceMemoryMs,
    interactionDeadlineMs: 2_500,
    sessionStarts: { total: 100_000, remaining: 100_000 },
  })
  const cures = new Set<Promise<void>>()
  const hands = new OneAtATime()
  let heardAt = 0
  let clickedAt = 0

  return {
    name: 'discord',
    environment: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    people,
    channels,
    moments: ['heard', 'streaming', 'posting', 'card', 'click', 'upload', 'thread'],
    // Each short session makes the bot wait longer before the next, until it is killed. Of several, it is one.
    shareOfConnection: 0.06 / nodes ** 2,
    troubles: discordTroubles(discord, cures),
    violations: discord.violations,
    idOf: (user) => discord.users[user] ?? '',
    messageOf: (id) => id,
    aloneIn: ({ project }) => people.find((user) => discord.people.direct(user) === project),
    isOpen: ({ thread }) => viewIn(discord, thread) !== undefined,
    edit: (user, message, text) => discord.people.edit(user, message, text),
    remove: (_user, message) => discord.people.delete(message),
    writes: () => discord.calls.findLast(({ method }) => method !== 'GET')?.at ?? 0,
    calls: () => discord.calls,
    close: () => discord.close(),

    say(saying) {
      const said = say(discord, saying)
      if (!saying.silent) heardAt = Date.now()
      return said
    },

    see: ({ thread }) => (viewIn(discord, thread) ?? []).filter(isForAll).map((shown) => seenOf(discord, shown)),

    everything() {
      const rooms = Object.values(discord.channels).flatMap((project) => [
        { project, thread: project },
        ...(viewIn(discord, project) ?? []).map(({ id }) => ({ project, thread: id })),
      ])
      const alone = people.map((who) => discord.people.direct(who)).map((id) => ({ project: id, thread: id }))
      return [...rooms, ...alone].flatMap((place) =>
        (viewIn(discord, place.thread) ?? [])
          .filter(isForAll)
          .map((shown) => ({ place, seen: seenOf(discord, shown) }))
          .filter(({ seen }) => seen.own),
      )
    },

    async stop(user, { thread }, message, random) {
      const running = viewIn(discord, thread)?.findLast((shown) => buttonIn(shown, 'Stop') !== undefined)
      if (running !== undefined && chance(random, 0.6))
        return (await click(discord, user, running.id, 'Stop')) === 'heard'
      if (chance(random, 0.4)) discord.people.react(user, message, '🛑')
      else discord.people.post(user, thread, `<@${discord.botId}> stop`)
      return true
    },

    click(user, message, button, how) {
      clickedAt = Date.now()
      return click(discord, user, message, button, how)
    },
    write: (user, message, button, words) => hands.do(user, () => write(discord, user, message, button, words)),

    happened(what, since) {
      if (what === 'heard') return heardAt > since
      if (what === 'click') return clickedAt > since
      const wanted = isIt[what]
      for (let at = discord.calls.length - 1; at >= 0; at--) {
        const call = discord.calls[at]
        if (call === undefined || call.at <= since) return false
        if (wanted?.(call)) return true
      }
      return false
    },

    async calm() {
      await Promise.all(cures)
      discord.misbehave.stop()
      await Promise.all(cures)
    },

    leftovers: () => [],
  }
}

const isForAll = ({ ephemeralTo }: ShownMessage): boolean => ephemeralTo === undefined

/** Undefined if there is no such channel or thread (yet). */
function viewIn(discord: DiscordServer, where: string): ShownMessage[] | undefined {
  try {
    return discord.view(where)
  } catch {
    return undefined
  }
}

function say(discord: DiscordServer, saying: Saying): { id: string; place: Place } {
  const { user, text, place, channel, named, uploads, copies, silent } = saying
  const isDirect = channel === 'direct'
  const where = place?.thread ?? (isDirect ? discord.people.direct(user) : (discord.channels[channel] ?? ''))
  const words = named && !isDirect ? `<@${discord.botId}> ${text}` : text
  if (silent) discord.misbehave.drop(true)
  const id = discord.people.post(user, where, words, { files: uploads, copies })
  if (silent) {
    discord.misbehave.drop(false)
    // Discord delivers every event of a session, or the session ends.
    discord.misbehave.invalidate(false)
  }
  // A conversation among people has its own thread, in which the bot may be mentioned.
  if (place === undefined && !named && !isDirect) discord.people.createThread(user, where, 'Harvest', { from: id })
  return { id, place: place ?? (isDirect ? { project: where, thread: where } : { project: where, thread: id }) }
}

const buttonIn = ({ buttons }: ShownMessage, name: string) =>
  buttons.find(({ label, disabled }) => label === name && !disabled)

function seenOf(discord: DiscordServer, shown: ShownMessage): Seen {
  return {
    id: shown.id,
    own: discord.users[shown.author] === discord.botId,
    // People don't see the backslashes that escape Markdown.
    text: shown.content.replace(/\\([^\w\s])/g, '$1'),
    files: shown.attachments.map(({ name, content }) => ({ name, content })),
    buttons: shown.buttons.filter(({ disabled }) => !disabled).map(({ label }) => label),
    working: shown.loading || buttonIn(shown, 'Stop') !== undefined,
    key: undefined,
  }
}

async function click(
  discord: DiscordServer,
  user: string,
  message: string,
  button: string,
  how?: 'again' | 'late',
): Promise<Clicked> {
  // Discord shows nobody an old card, so its buttons can't be clicked.
  try {
    const first = discord.people.click(user, message, button)
    const clicks = how === 'again' ? [first, discord.people.click(user, message, button)] : [first]
    const answers = await Promise.all(clicks.map(({ answered }) => answered))
    return answers.some(({ kind }) => kind !== 'failed') ? 'heard' : 'unheard'
  } catch {
    return 'gone'
  }
}

async function write(
  discord: DiscordServer,
  user: string,
  message: string,
  button: string,
  words: string,
): Promise<Clicked> {
  let answer: Awaited<ReturnType<DiscordServer['people']['click']>['answered']>
  try {
    answer = await discord.people.click(user, message, button).answered
  } catch {
    return 'gone'
  }
  if (answer.kind === 'failed') return 'unheard'
  if (answer.kind !== 'modal') return 'gone'
  const field = JSON.stringify(answer.modal).includes('"reason"') ? 'reason' : 'text'
  const sent = await discord.people.submitModal(user, { [field]: words }).answered
  return sent.kind === 'failed' ? 'unheard' : 'heard'
}
