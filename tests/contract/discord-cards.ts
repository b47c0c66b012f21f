import type { GrantChoice } from '../../src/domain/grant.ts'
import type { DiscordServer, ModalValue, ShownMessage } from '../support/discord/server.ts'
import { until } from '../support/until.ts'
import type { Card, Clicked, OnCard, ThreadDriver } from './driver.ts'

interface Table {
  discord: DiscordServer
  /** Messages that only this person sees. */
  told(person: string): string[]
  /** The cards of the thread, oldest first. */
  shown(): ShownMessage[]
}

type Hands = Pick<
  ThreadDriver,
  'click' | 'choose' | 'write' | 'denyBecause' | 'always' | 'denyWith' | 'fillForm' | 'cardText'
>

/** The cards of a thread, and clicks on them. */
export function discordCards(table: Table): { all(): Card[]; hands: Hands } {
  const { discord, told, shown } = table
  /** The cards as they were with their buttons. */
  const opened = new Map<string, Omit<Card, 'outcome'>>()

  function cardOf(message: ShownMessage): Card {
    const open = isOpen(message)
    if (open && !opened.has(message.id)) opened.set(message.id, openCard(message))
    const card = opened.get(message.id) ?? { kind: 'question' as const, title: '', choices: [] }
    return { ...card, outcome: open ? undefined : readable(discord, message.content) }
  }
  const all = () => shown().map(cardOf)

  function find(place: number | undefined): ShownMessage {
    all()
    const card = place === undefined ? (shown().findLast(isOpen) ?? shown().at(-1)) : shown().at(place)
    if (card === undefined) throw new Error('there is no card')
    return card
  }

  /** The outcome of a click or form; `before` is what the person had been told until then. */
  const outcome = (person: string, card: ShownMessage, before: number): Promise<Clicked> =>
    until('what became of the click', () => {
      const words = told(person)[before]
      if (words !== undefined) return clickedOf(words)
      const now = shown().find(({ id }) => id === card.id)
      return now?.buttons.length === 0 && readable(discord, now.content).includes(person) ? 'taken' : undefined
    })

  async function click(person: string, choice: string): Promise<Clicked> {
    const card = find(-1)
    const label = labelled(card, choice)
    // A decided card has no buttons left to click.
    if (label === undefined) return 'too-late'
    const before = told(person).length
    discord.people.click(person, card.id, label)
    return await outcome(person, card, before)
  }

  /** Opens a form, fills it in and submits it. */
  async function form(
    { person, place }: OnCard,
    button: string[],
    fill: (labels: Map<string, string[]>) => Record<string, ModalValue>,
  ): Promise<Clicked> {
    const card = find(place)
    const label = button.map((one) => labelled(card, one)).find((one) => one !== undefined)
    if (label === undefined) {
      if (card.buttons.length === 0) return 'too-late'
      throw new Error(`no button ${button}`)
    }
    const before = told(person).length
    await discord.people.click(person, card.id, label).answered
    const modal = discord.people.openModal(person)
    if (modal === undefined) return await outcome(person, card, before)
    const fields = modal.components.flatMap(({ component }) => component ?? [])
    const values = fill(new Map(fields.map((field) => [field.custom_id ?? '', labelsOf(field.options)])))
    await discord.people.submitModal(person, values).answered
    return await outcome(person, card, before)
  }

  return {
    all,
    hands: {
      click,
      async choose(person, choices) {
        const card = find(undefined)
        await discord.people.select(person, card.id, card.selects[0]?.customId ?? '', choices).answered
      },
      async write(person, text) {
        await form({ person }, ['else', 'Answer'], () => ({ text }))
      },
      async denyBecause(person, reason) {
        await form({ person }, ['why'], () => ({ reason }))
      },
      always: (card, choice) => form(card, ['Always'], () => alwaysValues(choice)),
      denyWith: (card, words) => form(card, ['why'], () => ({ ...words })),
      fillForm: (card, answers) => form(card, ['Answer'], (labels) => answersOf(answers, labels)),
      cardText: ({ place }) => readable(discord, find(place).content),
    },
  }
}

const isOpen = ({ buttons, selects }: ShownMessage): boolean => buttons.length + selects.length > 0

function openCard({ buttons, selects, content }: ShownMessage): Omit<Card, 'outcome'> {
  const labels = buttons.map(({ label }) => label)
  const choices = [
    ...labels.filter((label) => !/else|why|skip|answer|always/i.test(label)),
    ...selects.flatMap(({ options }) => options.map(({ label }) => label)),
  ]
  return { kind: labels.includes('Approve') ? 'approval' : 'question', title: content, choices }
}

const labelled = ({ buttons }: ShownMessage, words: string): string | undefined =>
  buttons.find(({ label }) => label.includes(words))?.label

const labelsOf = (options: { label: string }[] = []): string[] => options.map(({ label }) => label)

function clickedOf(words: string): Clicked {
  if (words.startsWith('Counted')) return 'voted'
  return /too late|nobody waits|no longer (exists|works)/i.test(words) ? 'too-late' : 'not-allowed'
}

const hourMs = 3_600_000
const spans = new Map([
  [hourMs, 'hour'],
  [24 * hourMs, 'day'],
  [30 * 24 * hourMs, 'month'],
])

function alwaysValues({ pattern, scope, forMs }: GrantChoice): Record<string, string> {
  const span = forMs === undefined ? 'forever' : spans.get(forMs)
  if (span === undefined) throw new Error(`the form does not offer ${forMs} ms`)
  return { pattern, scope, until: span }
}

/** Each answer goes into its question's list if it is one of the options, else into the text field. */
function answersOf(answers: string[], labels: Map<string, string[]>): Record<string, string> {
  const filled = answers.flatMap((answer, place): [string, string][] => {
    if (answer === '') return []
    const listed = labels.get(`pick-${place}`)?.includes(answer)
    return [[listed ? `pick-${place}` : `words-${place}`, answer]]
  })
  return Object.fromEntries(filled)
}

/** The text as people read it: with names for mentions, and without the backslashes that escape Markdown. */
export function readable(discord: DiscordServer, text: string): string {
  const nameIn = (ids: Record<string, string>, id: string) => Object.keys(ids).find((name) => ids[name] === id)
  return text
    .replace(/<@(&?)(\d+)>/g, (mark, role, id) => nameIn(role ? discord.roles : discord.users, id) ?? mark)
    .replace(/\\([\\`*_~|<>[\]()#@:-])/g, '$1')
}
