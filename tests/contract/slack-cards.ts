import type { Shown, ShownView, SlackServer } from '../support/slack/server.ts'
import type { Card, Clicked, OnCard, ThreadDriver } from './driver.ts'

/** What people do with cards. */
export type CardHands = Pick<
  ThreadDriver,
  'click' | 'choose' | 'write' | 'denyBecause' | 'always' | 'denyWith' | 'fillForm' | 'cardText'
>

/** What is around a thread's cards. */
interface Table {
  slack: SlackServer
  /** Messages with cards, oldest first. */
  shown(): Shown[]
  told(person: string): string[]
}

const isOpen = ({ buttons, menus }: Shown): boolean => buttons.length + menus.length > 0

/** Buttons on every card of its kind. */
const common = /else|why|skip|decline|send|done|always…|answer…/i

function openCard({ buttons, menus, text }: Shown): Omit<Card, 'outcome'> {
  const labels = buttons.map(({ label }) => label)
  const choices = [
    ...labels.filter((label) => !common.test(label)),
    ...menus.flatMap(({ options }) => options.map(({ label }) => label)),
  ]
  const kind = labels.includes('Approve') ? 'approval' : 'question'
  return { kind, title: text, choices }
}

/** What a person was told about an answer that did not decide. */
function refusalIn(words: string): Clicked {
  if (/^Counted/.test(words)) return 'voted'
  return /too late|no longer exists/i.test(words) ? 'too-late' : 'not-allowed'
}

const durationNames: Record<number, string> = { 3600000: '1 hour', 86400000: '1 day', 2592000000: '30 days' }

/** A thread's cards in Slack, and clicks on them. */
export function slackCards({ slack, shown, told }: Table): { all(): Card[]; hands: CardHands } {
  /** The cards as they were with their buttons. */
  const cards = new Map<string, Omit<Card, 'outcome'>>()

  function cardOf(one: Shown): Card {
    if (isOpen(one) && !cards.has(one.ts)) cards.set(one.ts, openCard(one))
    const card = cards.get(one.ts) ?? { kind: 'question' as const, title: '', choices: [] }
    return { ...card, outcome: isOpen(one) ? undefined : one.text }
  }

  function cardAt(place: number | undefined): Shown {
    const all = shown()
    for (const one of all) cardOf(one)
    const card = place === undefined ? (all.findLast(isOpen) ?? all.at(-1)) : all[place]
    if (card === undefined) throw new Error('there is no card')
    return card
  }

  /** Waits until the card shows this person's decision, or they were told why it doesn't. */
  const outcome = (person: string, card: Shown, before: number): Promise<Clicked> =>
    slack.until(() => {
      const words = told(person)[before]
      if (words !== undefined) return refusalIn(words)
      const now = shown().find((one) => one.ts === card.ts)
      return now && !isOpen(now) && now.text.toLowerCase().includes(person) ? 'taken' : undefined
    })

  async function openForm(person: string, card: Shown, button: RegExp): Promise<ShownView> {
    const open = slack.people.modal(person)?.id
    const control = card.buttons.find(({ label }) => button.test(label))
    if (control === undefined) throw new Error(`no button ${button}`)
    await slack.people.click(person, card.ts, control.action_id)
    return slack.until(() => {
      const view = slack.people.modal(person)
      return view && view.id !== open ? view : undefined
    })
  }

  async function submit(person: string, card: Shown, view: ShownView, values: Record<string, unknown>) {
    const before = told(person).length
    const { errors } = await slack.people.submit(person, view.id, values)
    const [error] = Object.values(errors)
    return error === undefined ? outcome(person, card, before) : refusalIn(error)
  }

  async function fill(
    { person, place }: OnCard,
    button: RegExp,
    valuesFor: (view: ShownView) => Record<string, unknown>,
  ) {
    const card = cardAt(place)
    const view = await openForm(person, card, button)
    return submit(person, card, view, valuesFor(view))
  }

  const hands: CardHands = {
    async click(person, choice) {
      const card = shown().at(-1)
      if (card === undefined) throw new Error('there is no card')
      cardOf(card)
      const before = told(person).length
      const known = card.buttons.find(({ label }) => label.includes(choice))
      await slack.people.click(person, card.ts, known?.action_id ?? choice, { stale: known === undefined })
      return outcome(person, known === undefined ? { ...card, ts: '' } : card, before)
    },
    async choose(person, choices) {
      const card = cardAt(undefined)
      const [menu] = card.menus
      if (menu === undefined) throw new Error('there is no menu')
      await slack.people.click(person, card.ts, menu.action_id, { value: choices })
      const button = card.buttons.find(({ label }) => /send|done|submit|ok/i.test(label))
      if (button) await slack.people.click(person, card.ts, button.action_id)
    },
    write: async (person, text) => void (await fill({ person }, /else/i, () => ({ words: text }))),
    denyBecause: async (person, reason) => void (await fill({ person }, /why/i, () => ({ reason }))),
    denyWith: (card, words) => fill(card, /why/i, () => ({ ...words })),
    always: (card, { pattern, scope, forMs }) =>
      fill(card, /always/i, ({ fields }) => ({
        ...(fields.some(({ block_id }) => block_id === 'pattern') && { pattern }),
        scope,
        until: forMs === undefined ? 'Without end' : (durationNames[forMs] ?? forMs),
      })),
    fillForm: (card, answers) => fill(card, /answer…/i, (view) => valuesOf(view, answers)),
    cardText: ({ place }) => cardAt(place).text,
  }
  return { all: () => shown().map(cardOf), hands }
}

/** Matches options by label; everything else is free text. */
function valuesOf({ fields }: ShownView, answers: string[]): Record<string, unknown> {
  const entries = answers.flatMap((answer, place): [string, unknown][] => {
    const choice = fields.find(({ block_id }) => block_id === `choice${place}`)
    if (answer === '') return []
    if (choice === undefined) return [[`words${place}`, answer]]
    const known = choice.options.find(({ label }) => label === answer)
    const many = choice.type !== 'static_select'
    const value = (chosen: string) => (many ? [chosen] : chosen)
    return known === undefined
      ? [
          [choice.block_id, value('else')],
          [`words${place}`, answer],
        ]
      : [[choice.block_id, value(known.value)]]
  })
  return Object.fromEntries(entries)
}
