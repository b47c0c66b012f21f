import type { RequestBody } from '../support/model-request-check.ts'
import { cutAfter, type ScriptedReply, says, slowly, status } from '../support/model-script.ts'
import { type ModelScript, type ModelServer, startModelServer } from '../support/model-server.ts'
import { childReply, isChild, planFor, tasksFor } from './hands.ts'
import { allSteps, type Step } from './plan.ts'
import { between, chance, type Random } from './random.ts'

type Messages = RequestBody['messages']
type Call = { name: string; arguments: string }

const tokens = (text: string): string[] => text.match(/tok-\d+-\d+r?/g) ?? []
/** A subagent's part belongs to the message that it is for. */
const tokensOfCall = (text: string): string[] => tokens(text.replace(/sub-[a-j]-/g, 'tok-'))
const callOf = (name: string, input: object): Call => ({ name, arguments: JSON.stringify(input) })

/** The state of a conversation, read from its messages alone so that it survives anything that happens to the bot. */
interface Standing {
  /** Unanswered requests in order, with what to do for each. */
  open: Map<string, { does: Step[]; upload: string | undefined; called: Set<string> }>
  /** Alarms that rang and were not mentioned yet. */
  rung: Set<string>
}

function standingOf(messages: Messages): Standing {
  const { open, rung }: Standing = { open: new Map(), rung: new Set() }
  const called = new Map<string, Set<string>>()
  for (const message of messages) {
    if (message.role === 'user') {
      const [said = ''] = String(message.content).split('<system_reminder>')
      // For example, a message that was read long ago was edited.
      if (said.startsWith('[The program]')) continue
      const [, alarm] = /^\[Alarm set by [^\]]*\] alarm (\S+)/.exec(said) ?? []
      if (alarm !== undefined) rung.add(alarm)
      for (const token of alarm === undefined ? tokens(said) : []) {
        const words = /steps: ([^.]*)\./.exec(said)?.[1]?.split(' ') ?? []
        const does = allSteps.filter((step) => words.includes(step))
        const upload = /^- (uploads\/\S+) \(/m.exec(said)?.[1]
        open.set(token, { does, upload, called: called.get(token) ?? new Set() })
      }
    }
    if (message.role !== 'assistant') continue
    for (const call of message.tool_calls ?? []) {
      for (const token of new Set(tokensOfCall(call.function.arguments))) {
        const names = called.get(token) ?? new Set()
        called.set(token, names.add(call.function.name))
        open.get(token)?.called.add(call.function.name)
      }
    }
    for (const [, what, token = ''] of (message.content ?? '').matchAll(/(answer|rang) (tok-\d+-\d+r?)/g)) {
      if (what === 'answer') open.delete(token)
      else rung.delete(token)
    }
  }
  return { open, rung }
}

/** The next calls for a token; none once everything it asked for was called, whatever the outcome. */
function nextCalls(
  token: string,
  { does, upload, called }: { does: Step[]; upload?: string; called: Set<string> },
): Call[] {
  const rounds: Call[][] = [
    does.includes('hands') ? tasksFor(token).map((task) => callOf('delegate_task', { task })) : [],
    does.includes('plan') || does.includes('agreed')
      ? [callOf('make_plan', planFor(token, does.includes('agreed')))]
      : [],
    does.includes('files')
      ? [
          callOf('write_file', { path: `outputs/${token}.txt`, content: `made for ${token}` }),
          callOf('todo_write', { todos: [{ content: `see to ${token}`, status: 'in_progress' }] }),
          ...(upload === undefined ? [] : [callOf('read_file', { path: upload })]),
        ]
      : [],
    [
      ...(does.includes('notify') ? [callOf('notify', { token })] : []),
      ...(does.includes('again') ? [callOf('notify_again', { token })] : []),
    ],
    [
      ...(does.includes('asked') ? [callOf('notify_asked', { token })] : []),
      ...(does.includes('ask') ? [callOf('ask_human', { question: `What about ${token}?` })] : []),
      ...(does.includes('choose') ? [callOf('ask_human', { question: `Which way for ${token}?`, options })] : []),
    ],
    does.includes('alarm')
      ? [callOf('alarm_set', { at: `PT${1 + (token.length % 2)}S`, message: `alarm ${token}` })]
      : [],
  ]
  return (
    rounds.find((round) => round.some(({ name }) => !called.has(name)))?.filter(({ name }) => !called.has(name)) ?? []
  )
}

const options = [{ label: 'Left' }, { label: 'Right' }]

/** More than one message on most platforms; each line is recognisable by itself. */
const longLines = 48
const longText = (token: string): string =>
  Array.from(
    { length: longLines },
    (_, line) => `- part ${token} line ${line} of what fills more than one message`,
  ).join('\n')

const filler = 'and this is said slowly enough that a kill may fall into the middle of the words'

/** The model's reply, a function of these messages alone. */
function replyTo(messages: Messages): ScriptedReply {
  const { open, rung } = standingOf(messages)
  const wanted = [...open].flatMap(([token, standing]) => nextCalls(token, standing as Parameters<typeof nextCalls>[1]))
  // A turn carries out one plan at a time.
  const [, ...later] = wanted.filter(({ name }) => name === 'make_plan')
  const calls = wanted.filter((call) => !later.includes(call))
  // Differs from other steps, which would otherwise count as a loop.
  const look = callOf('find_files', {
    pattern: calls.map(({ arguments: text }) => text.replace(/[^\w-]/g, '')).join('-'),
  })
  if (calls.length > 0) return { text: 'Working on it.', calls: [...calls, look].slice(0, 30) }
  const said = [...[...open.keys()].map((token) => `answer ${token}`), ...[...rung].map((token) => `rang ${token}`)]
  if (said.length === 0) return says('nothing new')
  const long = [...open].flatMap(([token, { does }]) => (does.includes('long') ? [longText(token)] : []))
  return says([`${said.join(', ')} ${filler}`, ...long].join('\n\n'))
}

/** The scripted model behind a socket, slow, and sometimes out of order. */
export function startModel(random: Random): Promise<ModelServer> {
  const script: ModelScript = ({ messages }) => {
    // Other tests look at these, but here there are thousands.
    server.requests.length = 0
    if (chance(random, 0.03)) return status(429, { retryAfterMs: 30 })
    if (chance(random, 0.03)) return status(500)
    const said = isChild(messages) ? childReply(messages) : replyTo(messages)
    const reply = slowly(said.text !== undefined && said.text.length > 1_000 ? 1 : between(random, 1, 25), said)
    return chance(random, 0.05) ? cutAfter(between(random, 0, 6), reply) : reply
  }
  const starting = startModelServer(script)
  let server: ModelServer
  return starting.then((started) => {
    server = started
    return started
  })
}
