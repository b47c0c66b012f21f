import type { Block, HeaderBlock, HomeView as Home, KnownBlock, RichTextElement } from '@slack/types'
import type { HomeView } from '../../../domain/home.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { toolWords } from '../../words/approval-words.ts'
import { homeWords } from '../../words/home.ts'
import { bullets, lines, plain, remark, words } from './elements.ts'
import { stamp } from './outcome.ts'

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

const alarmLine = ({ message, at, repeats, link }: HomeView['alarms'][number]): RichTextElement[] => [
  words('⏰ '),
  stamp(at),
  words(` · ${line(message, 200)}`),
  ...(repeats ? [words(` · ${homeWords.repeats()}`)] : []),
  ...linked(link),
]

const nothing = (text: string): KnownBlock => lines([words(text, { italic: true })])

function waitingBlocks({ waiting, more }: HomeView): KnownBlock[] {
  const mine = waiting.filter((one) => one.mine)
  const others = waiting.filter((one) => !one.mine)
  return [
    header(homeWords.waiting()),
    mine.length === 0 ? nothing(homeWords.nothingWaits()) : bullets(mine.map(waitingLine)),
    ...(others.length === 0 ? [] : [header(homeWords.waitsForOthers()), bullets(others.map(waitingLine))]),
    ...(more === 0 ? [] : [remark(homeWords.andMore({ count: more }))]),
  ]
}

function monthWords({ turns, tokens, usd }: HomeView['month']): string {
  const said = { count: turns, tokens: tokens.toLocaleString('en') }
  return usd === 0 ? homeWords.used(said) : homeWords.usedFor({ ...said, usd: `$${usd.toFixed(2)}` })
}

/** A person's Home. Undefined: they may not use the bot. */
export function homeView(view: HomeView | undefined): Home {
  return { type: 'home', blocks: view === undefined ? [nothing(homeWords.notAllowed())] : blocksOf(view) }
}

function blocksOf(view: HomeView): (KnownBlock | Block)[] {
  const { alarms, month, settings } = view
  return [
    ...waitingBlocks(view),
    header(homeWords.alarms()),
    alarms.length === 0 ? nothing(homeWords.noAlarms()) : bullets(alarms.map(alarmLine)),
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
