import { createInterface, type Interface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Failure, reasonOf } from '../../kit/failure.ts'
import type { Home } from '../home.ts'
import { nearestWord, UsageFault } from '../usage.ts'
import { cliWords } from '../words.ts'
import { Conversation } from './conversation.ts'
import { Following, scriptPatienceMs } from './following.ts'
import { ownAddress } from './own-bot.ts'
import { Screen } from './screen.ts'
import { type Address, Server } from './server.ts'
import { plain } from './shown.ts'
import { threadMeant } from './thread-meant.ts'
import { TypedLines } from './typed-lines.ts'

const usage = 'Usage: chat [thread | last] [--list] [--project <channel>].'
const listed = 20

/** A thread of a running Bobbin, in the terminal. */
export async function chatCommand(args: string[], home: Home): Promise<number> {
  const { thread, project, list } = parsed(args)
  const server = new Server(await addressOf(home))
  if (list) {
    const lines = (await server.threads(listed, project)).map(
      ({ id, updated_at, title }) => `${id}  ${updated_at.slice(0, 16).replace('T', ' ')}  ${plain(title)}`,
    )
    process.stdout.write(`${lines.join('\n') || cliWords.noThreads()}\n`)
    return 0
  }
  const id = thread && (await threadMeant(thread, project, server))
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: isTerminal, prompt: '> ' })
  const screen = new Screen(process.stdout, lines, isTerminal)
  const following = new Following(server, screen, isTerminal ? Infinity : scriptPatienceMs)
  const conversation = new Conversation(server, screen, following, project)
  const typed = new TypedLines(lines, isTerminal ? process.stdin : undefined, {
    shown: () => following.requests.shown,
    prompt: () => screen.prompt(),
  })
  if (isTerminal) {
    markPastes(lines)
    process.stdout.write(`${cliWords.chatIntro()}\n`)
  }
  if (id !== undefined) await following.open(id)
  else await server.threads(1)
  onCtrlC(lines, { screen, following, conversation, typed })
  screen.prompt()
  try {
    // Whoever types sees what waits; a script's first line may be the answer.
    if (!isTerminal && !(await following.catchUp())) return 1
    for await (const { text, begun } of typed) {
      const goesOn = await conversation.enter(text, begun)
      if (!goesOn) break
      screen.prompt()
      // Whoever types sees what happens; a script's next line is for what comes then.
      if (!isTerminal) await following.settled()
    }
    await (isTerminal ? undefined : following.settled())
  } finally {
    lines.close()
    following.leave()
  }
  if (isTerminal && following.thread !== undefined)
    process.stdout.write(`\n${cliWords.chatOutro({ thread: following.thread })}\n`)
  return !isTerminal && conversation.isUnfinished ? 1 : 0
}

/** Stops the turn, discards lines that aren't sent yet, or leaves. */
function onCtrlC(
  lines: Interface,
  chat: { screen: Screen; following: Following; conversation: Conversation; typed: TypedLines },
): void {
  const { screen, following, conversation, typed } = chat
  let stopped: Promise<void> | undefined
  lines.on('SIGINT', () => {
    const turn = following.isBusy ? following.settled() : undefined
    // A bot that is frozen or gone ends no turn, so the second time leaves.
    if (turn !== undefined && turn !== stopped) {
      stopped = turn
      return void conversation.enter('/stop')
    }
    if (!typed.drop()) {
      lines.close()
      return conversation.leave()
    }
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    screen.line(`  ${cliWords.unsentLinesDropped()}`)
  })
}

/** Has the terminal say where a paste begins and ends, as long as this process reads it. */
function markPastes(lines: Interface): void {
  const mark = (on: boolean) => void process.stdout.write(`\u001b[?2004${on ? 'h' : 'l'}`)
  mark(true)
  process.once('exit', () => mark(false))
  // From then on, Ctrl-C ends the process by a signal.
  lines.once('close', () => mark(false))
  // The shell has used the terminal meanwhile, and readline waits until somebody goes on reading.
  lines.on('SIGCONT', () => {
    mark(true)
    lines.resume()
  })
}

function parsed(args: string[]) {
  try {
    const options = { project: { type: 'string' }, list: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (positionals.length > 1) throw new Error('chat takes one thread.')
    const [thread] = positionals
    const isNearlyLast = thread !== undefined && thread !== 'last' && nearestWord(thread, ['last']) !== undefined
    if (isNearlyLast) throw new Error(cliWords.notLast({ thread: JSON.stringify(thread) }))
    return { thread, project: values.project, list: values.list === true }
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
}

/** BOBBIN_URL and BOBBIN_TOKEN, or else the Bobbin of this home. The address that a start prints brings its token. */
async function addressOf(home: Home): Promise<Address> {
  const { BOBBIN_URL: given, BOBBIN_TOKEN: token } = process.env
  if (!given) return { url: await ownAddress(home), token: token || undefined }
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Failure('bad_url', cliWords.bobbinUrl({ given: JSON.stringify(given) }), cliWords.bobbinUrlRemedy())
  const inUrl = url.searchParams.get('token')
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, token: token || inUrl || undefined }
}
