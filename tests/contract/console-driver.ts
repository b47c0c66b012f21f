import type { EventData, ToldEvent } from '../../src/domain/events.ts'
import type { GrantChoice } from '../../src/domain/grant.ts'
import { choiceWords } from '../../src/platforms/console/public/grant-words.js'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import type { Card, Clicked, OnCard, OpenDriver, Seen, ThreadDriver } from './driver.ts'

/** People at the console, who use nothing but the HTTP interface. */
export const openConsole: OpenDriver = async (script, { rules, configDir = '' } = {}) => {
  const ids = { person: (name: string) => name, group: (name: string) => name }
  const bot = await startTestBot({
    script,
    environment: { BOBBIN_CONFIG_DIR: configDir },
    config: { rules: rules?.(ids) },
  })
  return {
    async mention(person, text, options = {}) {
      const conversation = await send(bot, `@bobbin ${text}`, { user: person, ...options })
      return threadDriver(bot, conversation)
    },
    restart: bot.restart,
    // The console has no groups.
    setGroup: async () => false,
    modelCalls: () => bot.model.requests.length,
    modelHeard: () => JSON.stringify(bot.model.requests.at(-1)?.messages ?? []),
    chat: undefined,
  }
}

interface Sending {
  user: string
  conversation?: string
  files?: Record<string, string>
  copies?: number
}

async function send(bot: TestBot, text: string, { copies = 1, ...options }: Sending): Promise<string> {
  const key = crypto.randomUUID()
  const responses = await Promise.all(Array.from({ length: copies }, () => bot.chat.send(text, { ...options, key })))
  const conversations = new Set(responses.map((response) => response.headers.get('x-conversation-id')))
  await Promise.all(responses.map((response) => response.body?.cancel()))
  const [conversation] = conversations
  if (conversations.size !== 1 || !conversation) throw new Error('the copies of a message are in several threads')
  return conversation
}

function threadDriver(bot: TestBot, conversation: string): ThreadDriver {
  const asked = async ({ place = -1 }: Partial<OnCard>) => {
    const events = await bot.chat.events(conversation)
    return events.filter((event) => 'request_id' in event.data && /_(asked|detected)$/.test(event.type)).at(place)
  }
  /** What people were told when they could not answer. */
  const refusals = new Map<string, string[]>()

  async function answer(body: Record<string, unknown>, card: Partial<OnCard> = {}): Promise<Clicked> {
    const event = await asked(card)
    const request = event && 'request_id' in event.data ? event.data.request_id : ''
    const response = await bot.chat.answer(request, body)
    return await clicked(response, String(body.user_id))
  }

  async function clicked(response: Response, person: string): Promise<Clicked> {
    const said = (await response.json()) as { request?: { status: string }; error?: { message: string } }
    if (response.ok) return said.request?.status === 'pending' ? 'voted' : 'taken'
    refusals.set(person, [...(refusals.get(person) ?? []), said.error?.message ?? ''])
    if (response.status === 409) return 'too-late'
    if (response.status === 403) return 'not-allowed'
    throw new Error(`an answer was answered with ${response.status}: ${said.error?.message}`)
  }

  return {
    async say(person, text, { mention: _, ...options } = {}) {
      await send(bot, text, { user: person, conversation, ...options })
      return ''
    },
    async choose(person, choices) {
      await answer({ answer: choices, user_id: person })
    },
    async write(person, text) {
      await answer({ answer: text, user_id: person })
    },
    async denyBecause(person, reason) {
      await answer({ decision: 'deny', reason, user_id: person })
    },
    async click(person, choice) {
      const body = choice === 'Approve' || choice === 'Deny' ? { decision: choice.toLowerCase() } : { answer: choice }
      return answer({ ...body, user_id: person })
    },
    always: (card, always) => answer({ decision: 'approve', always: inWords(always), user_id: card.person }, card),
    denyWith: (card, words) => answer({ decision: 'deny', ...words, user_id: card.person }, card),
    fillForm: (card, [first = '', ...also]) => answer({ answer: first, also, user_id: card.person }, card),
    told: (person) => refusals.get(person) ?? [],
    async cardText({ place = -1 }) {
      const card = seenOf(await bot.chat.events(conversation)).cards.at(place)
      return JSON.stringify({ ...(await asked({ place }))?.data, outcome: card?.outcome })
    },
    async stop(person) {
      await bot.chat.untilType(conversation, 'start')
      await bot.chat.post(`/agent/conversations/${conversation}/stop`, { user_id: person })
    },
    see: async () => seenOf(await bot.chat.events(conversation)),
    async until(fits) {
      const seen: ToldEvent[] = []
      await bot.chat.until(conversation, (event) => {
        seen.push(event)
        return fits(seenOf(seen))
      })
      return seenOf(seen)
    },
    download: async (path) =>
      (await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/files/${path}`)).text(),
  }
}

const inWords = ({ pattern, scope, forMs }: GrantChoice) => ({ pattern, scope, for_ms: forMs })

function seenOf(events: ToldEvent[]): Seen {
  const messages = ofType(events, 'message').map(({ data }) => data)
  return {
    posts: messages
      .filter(({ role }) => role === 'assistant')
      .map(({ text, files }) => ({ text, files: files.map(({ path }) => path) })),
    alarms: messages.filter(({ role }) => role === 'alarm').map(({ text }) => text),
    cards: cardsOf(events),
    notices: ofType(events, 'warning').map(({ data }) => data.message),
    progress: [],
  }
}

/** Requests in the order they were asked. */
function cardsOf(events: ToldEvent[]): Card[] {
  return events.flatMap((event): Card[] => {
    if (event.type === 'permission_asked') return [approval(event.data, events)]
    return 'options' in event.data ? [question(event.data, events)] : []
  })
}

function approval(asked: EventData['permission_asked'], events: ToldEvent[]): Card {
  const reply = ofType(events, 'permission_replied').find(({ data }) => data.request_id === asked.request_id)?.data
  const always = reply?.always && choiceWords(reply.always, asked.grants?.closed)
  const outcome = reply && `${reply.decision} by ${reply.person?.name} ${reply.reason ?? ''} ${always ?? ''}`
  return { kind: 'approval', title: asked.tool_name, choices: ['Approve', 'Deny'], outcome }
}

function question(data: EventData['question_asked'], events: ToldEvent[]): Card {
  const [reply] = events.flatMap(({ data: one }) =>
    'option_ids' in one && one.request_id === data.request_id ? [one] : [],
  )
  return {
    kind: 'question',
    title: data.question,
    choices: data.options.map(({ label }) => label),
    outcome: reply && `${reply.answer} by ${reply.person?.name}`,
  }
}
