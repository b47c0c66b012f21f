import { onTestFinished } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ownPlace } from '../support/own-place.ts'
import { type Shown, type SlackServer, startSlackServer } from '../support/slack/server.ts'
import { groupId } from '../support/slack/world.ts'
import { until } from '../support/until.ts'
import { readWorkspace } from '../support/workspace.ts'
import type { ChatDriver, OpenDriver, Seen, ThreadDriver } from './driver.ts'
import { slackCards } from './slack-cards.ts'

const channel = 'general'

/** Drives the bot, behind the real bolt, through the people of a fake Slack. */
export const openSlack =
  (transport: 'socket' | 'http'): OpenDriver =>
  async (script, options = {}) => {
    const slack = await startSlackServer({ redeliveryMs: [150, 150, 150] })
    const place = transport === 'http' ? ownPlace() : undefined
    const bot = await startTestBot({
      script,
      environment: {
        BOBBIN_CONFIG_DIR: options.configDir ?? '',
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_API_URL: slack.apiUrl,
        ...(place === undefined ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
      },
      slackHttp: place,
      config: {
        show: options.show,
        access: options.access?.((person) => slack.user(person)),
        rules: options.rules?.({ person: (name) => slack.user(name), group: groupId }),
      },
    })
    if (place !== undefined) slack.deliverTo(`http://${place.host}:${place.port}/slack/events`)
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
      async setGroup(group, people) {
        slack.people.setGroup(group, people)
        return true
      },
      modelCalls: () => bot.model.requests.length,
      modelHeard: () => JSON.stringify(bot.model.requests.at(-1)?.messages ?? []),
      chat: chatDriver(slack, thread),
    }
  }

const filesOf = (files: Record<string, string> = {}) =>
  Object.entries(files).map(([name, content]) => ({ name, content }))

function chatDriver(slack: SlackServer, thread: (ts: string, place?: string) => ThreadDriver): ChatDriver {
  /** One of the bot's messages in the thread, or the thread's first. */
  const oneOf = (driver: ThreadDriver, which: 'first' | 'last'): string => {
    const { ts } = driver as SlackThread
    const own = slack.view(channel, ts).filter(({ user, ephemeralTo }) => user === slack.bot.id && !ephemeralTo)
    return own.at(which === 'first' ? 0 : -1)?.ts ?? ts
  }
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
    deleteLatest: async (person, driver) => slack.people.delete(person, oneOf(driver, 'last')),
    async react(person, driver, what, to = 'last') {
      const target = oneOf(driver, to)
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
    shutOut: () => slack.misbehave.expelBot(channel),
    letIn: () => slack.misbehave.inviteBot(channel),
    toldAlone: (person) => slack.view(`@${person}`).flatMap((one) => (one.user === slack.bot.id ? [proseOf(one)] : [])),
    idOf: (person) => slack.user(person),
    pings: () => pingsOf(slack),
    violations: () => slack.violations,
    settled: () => slack.idle(),
  }
}

/** Mentions in the bot's posts for which Slack would notify users, groups or everybody. */
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

/** An unfinished message: it streams, or its plan still has running tasks. */
const isProgress = ({ streaming, blocks }: Shown): boolean =>
  streaming || JSON.stringify(blocks).includes('"status":"in_progress"')

/** What remains of a stopped turn isn't an answer. */
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

function threadDriver(slack: SlackServer, bot: TestBot, ts: string, place: string): SlackThread {
  const own = () => slack.view(place, ts).filter(({ user, ephemeralTo }) => user === slack.bot.id && !ephemeralTo)
  const told = (person: string) =>
    slack
      .view(place, ts)
      .filter(({ ephemeralTo }) => ephemeralTo === slack.user(person))
      .map(({ text }) => text)
  const cards = slackCards({
    slack,
    told,
    // One that is shown again has the key of its outcome.
    shown: () => own().filter((one) => /^(card|outcome)_/.test(keyOf(one) ?? '')),
  })

  function look(): Seen {
    const shown = own()
    return {
      posts: postsOf(shown),
      cards: cards.all(),
      alarms: shown.flatMap(({ text }) => /⏰ ?(.*)/.exec(text)?.[1] ?? []),
      notices: shown.flatMap((one) => JSON.stringify(one.blocks).match(/⚠ [^"]+/g) ?? []),
      progress: shown.filter((one) => isProgress(one) || isStopped(one)).map(({ text }) => text),
    }
  }

  return {
    ts,
    ...cards.hands,
    told,
    async say(person, text, { files, copies, mention } = {}) {
      const options = { thread_ts: ts, files: filesOf(files), copies }
      return mention
        ? slack.people.mention(person, place, text, options)
        : slack.people.post(person, place, text, options)
    },
    async stop(person) {
      await until('the turn', () => bot.model.requests.length > 0)
      slack.people.mention(person, place, 'stop', { thread_ts: ts })
      await slack.idle()
    },
    see: async () => look(),
    until: (fits) =>
      slack.until(() => {
        const seen = look()
        return fits(seen) ? seen : undefined
      }),
    download: (path) => readWorkspace(bot, ts, path),
  }
}
