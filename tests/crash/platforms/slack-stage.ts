import { setTimeout as sleep } from 'node:timers/promises'
import { type Shown, type SlackServer, startSlackServer } from '../../support/slack/server.ts'
import type { Moment } from '../plan.ts'
import { chance } from '../random.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { slackTroubles } from './slack-troubles.ts'
import type { Clicked, Place, Saying, Seen, Stage } from './stage.ts'

const people = ['ana', 'ben', 'cleo', 'dan', 'eve', 'finn']
const channels = ['general', 'private', 'harbour', 'orchard']

/** Slack lets a form open within three seconds of the click, and not later. */
const formMs = 3_500

/** Calls that change nothing; several processes look around often. */
const reads = /^(conversations|users|auth|apps|files\.info|team|bots|usergroups)/

/** Calls at which the bot can be killed. */
const methodsOf: Partial<Record<Moment, string[]>> = {
  streaming: ['chat.startStream', 'chat.appendStream', 'chat.update'],
  posting: ['chat.postMessage', 'chat.stopStream'],
  upload: ['files.getUploadURLExternal', 'files.completeUploadExternal'],
}

/** A workspace with its people, in this process. */
export async function openSlackStage(): Promise<Stage> {
  const slack = await startSlackServer({
    people,
    channels: [{ name: 'harbour' }, { name: 'orchard' }],
    redeliveryMs: [1_000, 2_000, 4_000],
    ackMs: 2_500,
    triggerMs: 3_000,
  })
  const cures = new Set<Promise<void>>()
  const hands = new OneAtATime()
  let heardAt = 0
  let clickedAt = 0

  return {
    name: 'slack',
    environment: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
    people,
    channels,
    moments: ['heard', 'streaming', 'posting', 'card', 'click', 'upload'],
    shareOfConnection: 0.2,
    troubles: slackTroubles(slack, cures),
    violations: slack.violations,
    idOf: (user) => slack.user(user),
    messageOf: (id) => slack.world.files.get(id)?.shares[0]?.ts ?? id,
    aloneIn: ({ project }) => people.find((user) => slack.world.channel(`@${user}`).id === project),
    isOpen: () => true,
    edit: (user, message, text) => slack.people.edit(user, message, text),
    remove: (user, message) => slack.people.delete(user, message),
    writes: () => slack.calls.findLast(({ method }) => !reads.test(method))?.at ?? 0,
    calls: () => slack.calls,
    close: () => slack.close(),

    say(saying) {
      const said = say(slack, saying)
      if (!saying.silent) heardAt = Date.now()
      return said
    },

    see: ({ project, thread }) =>
      slack
        .view(project, thread)
        .filter(({ ephemeralTo }) => ephemeralTo === undefined)
        .map((shown) => seenOf(slack, shown)),

    everything: () =>
      [...slack.world.channels.values()].flatMap(({ id, messages }) =>
        messages
          .all()
          .filter(({ user, deleted }) => user === slack.bot.id && !deleted)
          .map(({ ts, threadTs = ts }) => ({
            place: { project: id, thread: threadTs },
            seen: seenOf(slack, slack.message(ts)),
          })),
      ),

    async stop(user, place, message, random) {
      if (slack.sessionStatus(place.project, place.thread) === 'processing' && chance(random, 0.6)) {
        slack.people.stopSession(user, place.project, place.thread)
      } else if (chance(random, 0.4)) slack.people.react(user, message, 'octagonal_sign')
      else slack.people.mention(user, place.project, 'stop', { thread_ts: place.thread })
      return true
    },

    async click(user, message, button, how) {
      clickedAt = Date.now()
      return click(slack, user, message, button, how)
    },
    write: (user, message, button, words) => hands.do(user, () => write(slack, user, message, button, words)),

    happened(what, since) {
      if (what === 'heard') return heardAt > since
      if (what === 'click') return clickedAt > since
      const wanted = methodsOf[what] ?? []
      const isIt = ({ method, args }: (typeof slack.calls)[number]) =>
        what === 'card' ? JSON.stringify(args.metadata ?? '').includes('"card_') : wanted.includes(method)
      for (let at = slack.calls.length - 1; at >= 0; at--) {
        const call = slack.calls[at]
        if (call === undefined || call.at <= since) return false
        if (isIt(call)) return true
      }
      return false
    },

    async calm() {
      await Promise.all(cures)
      slack.misbehave.calm()
      // The bot reads messages without an event once it has a new connection.
      slack.misbehave.refreshSockets()
      await slack.idle()
    },

    leftovers({ project, thread }) {
      const status = slack.sessionStatus(project, thread)
      return status === 'processing' ? ['Slack shows that the bot is at work there'] : []
    },
  }
}

function say(slack: SlackServer, saying: Saying): { id: string; place: Place } {
  const { user, text, place, channel, named, uploads, copies, silent } = saying
  const where = place?.project ?? slack.channel(channel === 'direct' ? `@${user}` : channel)
  const options = {
    files: uploads,
    copies,
    silent,
    messageFirst: copies % 2 === 0,
    ...(place && { thread_ts: place.thread }),
  }
  const id = named ? slack.people.mention(user, where, text, options) : slack.people.post(user, where, text, options)
  return { id, place: place ?? { project: where, thread: id } }
}

function seenOf(slack: SlackServer, shown: Shown): Seen {
  const payload = shown.metadata?.event_payload as { key?: string } | undefined
  return {
    id: shown.ts,
    own: shown.user === slack.bot.id,
    text: shown.text,
    files: shown.files.map(({ name, content }) => ({ name, content: content.toString() })),
    buttons: shown.buttons.map(({ label }) => label),
    working: shown.streaming || JSON.stringify(shown.blocks).includes('"status":"in_progress"'),
    key: payload?.key,
  }
}

async function click(
  slack: SlackServer,
  user: string,
  message: string,
  button: string,
  how?: 'again' | 'late',
): Promise<Clicked> {
  const stale = how === 'late'
  const there = slack.message(message).buttons.some(({ label }) => label === button)
  if (!there && !stale) return 'gone'
  const first = slack.people.click(user, message, button, { stale })
  const clicks = how === 'again' ? [first, slack.people.click(user, message, button, { sameTrigger: true })] : [first]
  const heard = (await Promise.all(clicks)).some(({ acked }) => acked)
  return heard ? 'heard' : 'unheard'
}

async function write(
  slack: SlackServer,
  user: string,
  message: string,
  button: string,
  words: string,
): Promise<Clicked> {
  const before = slack.people.modal(user)?.id
  const clicked = await click(slack, user, message, button)
  if (clicked !== 'heard') return clicked
  const opened = () => {
    const form = slack.people.modal(user)
    return form?.id === before ? undefined : form
  }
  for (let waited = 0; opened() === undefined && waited < formMs; waited += 50) await sleep(50)
  const form = opened()
  const [field] = form?.fields ?? []
  if (form === undefined || field === undefined) return 'unheard'
  // A form for an earlier click may come late, and takes this one's place.
  const isThere = () => slack.people.modal(user)?.id === form.id
  for (let tries = 0; tries < 4 && isThere(); tries++) {
    const { acked } = await slack.people.submit(user, form.id, { [field.block_id]: words })
    if (!acked) continue
    if (isThere()) await slack.people.closeView(user, form.id)
    return 'heard'
  }
  if (isThere()) await slack.people.closeView(user, form.id)
  return 'unheard'
}
