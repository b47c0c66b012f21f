import type { Block, HeaderBlock, HomeView as Home, KnownBlock, RichTextElement } from '@slack/types'
import { z } from 'zod'
import type { HomeView } from '../../../domain/home.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { readJson } from '../../read-json.ts'
import { toolWords } from '../../words/approval-words.ts'
import { homeWords } from '../../words/home.ts'
import { homeApprovalBlocks } from './approval.ts'
import { bullets, lines, plain, remark, words } from './elements.ts'
import { stamp } from './outcome.ts'

/** Slack shows 100 blocks, and the rest of a Home needs some. */
const mostDecided = 75

type Waiting = HomeView['waiting'][number]

const header = (text: string): HeaderBlock => ({ type: 'header', text: plain(text, 150) })

const line = (text: string, most: number): string => oneLine(visible(text), most)

const linked = (url: string | undefined): RichTextElement[] =>
  url === undefined ? [] : [words(' · '), { type: 'link', url, text: homeWords.open() }]

const asked = ({ request }: Waiting): string =>
  request.kind === 'approval' ? homeWords.approve({ tool: toolWords(request.payload) }) : request.payload.question

const waitingLine = (one: Waiting): RichTextElement[] => [
  words(line(asked(one), 200), { bold: true }),
  words(' · '),
  words(line(one.title, 100) || homeWords.untitled()),
  words(' · '),
  stamp(one.request.askedAt),
  ...linked(one.link),
]

const alarmLine = ({ id, message, at, repeats, link }: HomeView['alarms'][number]): RichTextElement[] => [
  words('⏰ '),
  stamp(at),
  words(` · ${line(message, 200)} · `),
  words(id, { code: true }),
  ...(repeats ? [words(` · ${homeWords.repeats()}`)] : []),
  ...linked(link),
]

const nothing = (text: string): KnownBlock => lines([words(text, { italic: true })])

/** A person may decide these right here if the card of one shows all of it. Of the others, they see where they wait. */
function mineBlocks(mine: Waiting[]): (KnownBlock | Block)[] {
  if (mine.length === 0) return [nothing(homeWords.nothingWaits())]
  const shown: (KnownBlock | Block)[] = []
  const listed: Waiting[] = []
  for (const one of mine) {
    const blocks = one.request.kind === 'approval' ? homeApprovalBlocks(one.request) : []
    if (blocks.length === 0 || shown.length + blocks.length >= mostDecided) listed.push(one)
    else shown.push(lines(waitingLine(one)), ...blocks)
  }
  return [...shown, ...(listed.length === 0 ? [] : [bullets(listed.map(waitingLine))])]
}

function waitingBlocks({ waiting, more }: HomeView): (KnownBlock | Block)[] {
  const mine = waiting.filter((one) => one.mine)
  const others = waiting.filter((one) => !one.mine)
  return [
    header(homeWords.waiting()),
    ...mineBlocks(mine),
    ...(others.length === 0 ? [] : [header(homeWords.waitsForOthers()), bullets(others.map(waitingLine))]),
    ...(more === 0 ? [] : [remark(homeWords.andMore({ count: more }))]),
  ]
}

const alarmBlocks = (alarms: HomeView['alarms']): KnownBlock[] =>
  alarms.length === 0
    ? [nothing(homeWords.noAlarms())]
    : [bullets(alarms.map(alarmLine)), remark(homeWords.cancelAlarm())]

function monthWords({ turns, tokens, usd }: HomeView['month']): string {
  const said = { count: turns, tokens: tokens.toLocaleString('en') }
  return usd === 0 ? homeWords.used(said) : homeWords.usedFor({ ...said, usd: `$${usd.toFixed(2)}` })
}

/**
 * A person's Home. Undefined: they may not use the bot. `notice`: what became of their click, if nothing here shows it.
 */
export function homeView(view: HomeView | undefined, channel: string, notice?: string): Home {
  const blocks = view === undefined ? [nothing(homeWords.notAllowed())] : blocksOf(view)
  return {
    type: 'home',
    private_metadata: JSON.stringify({ channel }),
    blocks: [...(notice === undefined ? [] : [lines([words(notice, { bold: true })])]), ...blocks],
  }
}

const metadata = z.object({ channel: z.string() })

/** Where the person of a Home talks to the bot directly. */
export const channelOfHome = (text: string): string | undefined => readJson(text, metadata)?.channel

function blocksOf(view: HomeView): (KnownBlock | Block)[] {
  const { alarms, month, settings } = view
  return [
    ...waitingBlocks(view),
    header(homeWords.alarms()),
    ...alarmBlocks(alarms),
    header(homeWords.month()),
    lines([words(monthWords(month))]),
    header(homeWords.settings()),
    bullets([
      [words(homeWords.model({ model: line(settings.model, 100) }))],
      [words(settings.threads === 'all' ? homeWords.answersAll() : homeWords.answersMentions())],
      [words(homeWords.files({ count: settings.files }))],
    ]),
    remark(homeWords.operator()),
  ]
}
