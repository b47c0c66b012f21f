import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import type { SessionEvent } from '../domain/events.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { oneLine } from '../kit/text/text.ts'
import { readEvents } from '../store/events.ts'
import { askedText } from './chat/asked.ts'
import { eventText, plain } from './chat/shown.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { threadNamed } from './thread-named.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: logs <id> [--follow] [--json].'
const page = 500
const lookAgainMs = 500

/** Prints what happened in a thread, an event a line, and follows it. Works whether the bot runs or not. */
export async function logsCommand(args: string[]): Promise<number> {
  const { id, follow, json } = parsed(args)
  const store = await openStore(databasePlace(loadOrThrow()))
  try {
    const session = await threadNamed(store.db, id)
    if (session === undefined) throw noThread(id)
    for (let next = 1; ; ) {
      const events = await readEvents(store.db, session.id, next, page)
      for (const event of events) process.stdout.write(`${json ? JSON.stringify(event) : line(event)}\n`)
      next = (events.at(-1)?.event_id ?? next - 1) + 1
      if (events.length === page) continue
      if (!follow) return 0
      await sleep(lookAgainMs)
    }
  } finally {
    await store.close()
  }
}

function parsed(args: string[]) {
  try {
    const options = { follow: { type: 'boolean', short: 'f' }, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [id, ...more] = positionals
    if (id === undefined || more.length > 0) throw new Error('logs takes one thread.')
    return { id, follow: values.follow === true, json: values.json === true }
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
}

/** `2026-03-01 09:00:00  act  · run_command ls`. */
function line(event: SessionEvent): string {
  const time = event.timestamp.slice(0, 19).replace('T', ' ')
  return `${time}  ${event.type.padEnd(19)}  ${plain(oneLine(words(event), 200))}`.trimEnd()
}

function words(event: SessionEvent): string {
  switch (event.type) {
    case 'permission_asked':
    case 'question_asked':
    case 'decision_asked':
    case 'clarification_asked':
    case 'doom_loop_detected':
      return askedText(event.data)
    case 'text_end':
      return event.data.text
    case 'observe':
      return `${event.data.tool_name} ${event.data.status}: ${event.data.result}`
    default:
      return eventText(event) ?? ''
  }
}

const noThread = (id: string): Failure =>
  new Failure('no_session', cliWords.noThread({ id: JSON.stringify(oneLine(id, 80)) }), '`bobbin sessions` lists them.')
