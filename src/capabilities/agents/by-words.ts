import { type Agent, type AgentsSettings, agentsOn } from './settings.ts'

/** Longer messages are looked at up to here. */
const mostCharacters = 8_000

/** Scripts that are written without spaces. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** The agent with the most triggers in a message, and which these are; of several, the first in the file. */
export function byWords(text: string, settings: AgentsSettings): { agent: Agent; words: string[] } | undefined {
  const said = plain(text.slice(0, mostCharacters))
  const found = agentsOn(settings).map((agent) => ({
    agent,
    words: agent.triggers.filter((word) => said.includes(unspaced.test(word) ? plain(word).trim() : plain(word))),
  }))
  const most = Math.max(0, ...found.map(({ words }) => words.length))
  return most === 0 ? undefined : found.find(({ words }) => words.length === most)
}

/** Only its words, in lower case, with a space on both sides of each. */
const plain = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `
