import { z } from 'zod'
import { readJson } from '../../read-json.ts'
import { greeting } from '../../words/greeting.ts'
import { reasonIn } from '../api/errors.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { spoken } from '../post/speaker.ts'

const greeted = z.array(z.string())

/** The most channels that are remembered. */
const mostKept = 1_000

/**
 * Says hello in a channel that somebody has invited the bot to, once. It is noted before it is said: rather no
 * greeting after a crash than two.
 */
export async function greet({ me, api, notes, log }: SlackWorkspace, channel: string): Promise<void> {
  const name = `slack:${me.team}:greeted`
  try {
    const known = readJson(await notes.get(name), greeted) ?? []
    if (known.includes(channel)) return
    await notes.set(name, JSON.stringify([...known, channel].slice(-mostKept)))
    const words = spoken(greeting(`@${me.name}`))
    const call = { bucket: 'chat.postMessage', channel, priority: 'progress' } as const
    await api.write(call, (client) => client.chat.postMessage({ channel, ...words, unfurl_links: false }))
  } catch (thrown) {
    log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'the greeting could not be posted')
  }
}
