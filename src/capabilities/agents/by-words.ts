import { folded, hasSigns } from '../../kit/text/signs.ts'
import { unspaced } from '../../kit/text/unspaced.ts'
import { type AgentsSettings, agentsOn, type Route } from './settings.ts'

/** Longer messages are looked at up to here. */
const mostCharacters = 8_000

/** Who may work on a request: a route, or an agent by itself. `about`: which requests that is for. */
export interface Choice extends Pick<Route, 'how' | 'agents' | 'words'> {
  name: string
  about: string | undefined
}

/** The routes whose agents are all there, then the agents that people see. */
export function choicesIn(settings: AgentsSettings): Choice[] {
  const on = agentsOn(settings)
  const names = new Set(on.map(({ name }) => name))
  const routes = settings.routes.filter(({ agents }) => agents.every((one) => names.has(one)))
  const agents = on.map(
    ({ name, description, triggers, isHidden }): Choice => ({
      name,
      how: 'one',
      agents: [name],
      words: settings.byWords ? triggers : [],
      about: isHidden ? undefined : description,
    }),
  )
  return [...routes, ...agents]
}

/** The choice with the most words in a message, and which these are; of several, the first. */
export function byWords(text: string, settings: AgentsSettings): { choice: Choice; words: string[] } | undefined {
  if (!settings.byWords && settings.routes.length === 0) return undefined
  const whole = folded(text.slice(0, mostCharacters))
  const said = plain(whole)
  const found = choicesIn(settings).map((choice) => ({
    choice,
    words: choice.words.filter((word) => isSaidIn(whole, said, word)),
  }))
  const most = Math.max(0, ...found.map(({ words }) => words.length))
  return most === 0 ? undefined : found.find(({ words }) => words.length === most)
}

function isSaidIn(whole: string, said: string, word: string): boolean {
  const own = plain(word)
  if (!hasSigns(whole, word)) return false
  return own.trim() === '' ? word.trim() !== '' : said.includes(unspaced.test(word) ? own.trim() : own)
}

/** Only its words, in lower case, with a space on both sides of each. */
const plain = (text: string): string =>
  ` ${folded(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `
