/** Completions for an @ or a # at the cursor, or a / at the start of the message. */
import { fileName } from './format.js'

const mostChoices = 8

/**
 * @param {string} text
 * @param {number} cursor
 * @param {{ path: string }[]} files
 * @param {{ name: string, argument: string | null, summary: string }[]} commands
 * @param {{ name: string, description: string, tier: string }[]} tools
 * @returns {{ start: number, choices: { insert: string, label: string, hint: string }[] } | undefined}
 */
export function completionAt(text, cursor, files, commands = [], tools = []) {
  const command = /^\s*(?:@bobbin\s+)?\/([a-z]*)$/i.exec(text.slice(0, cursor))
  if (command) return commandsAt(cursor - command[1].length - 1, command[1].toLowerCase(), commands)
  const match = /(?:^|[\s(])([@#])([^\s@#]*)$/.exec(text.slice(Math.max(0, cursor - 200), cursor))
  if (!match) return undefined
  const [, sign, typed] = match
  const start = cursor - typed.length - 1
  const wanted = typed.toLowerCase()
  const choices = sign === '@' ? [...people(wanted), ...toolsBy(wanted, tools)] : namesOf(files, wanted)
  return choices.length > 0 ? { start, choices } : undefined
}

function commandsAt(start, wanted, commands) {
  const choices = commands
    .filter(({ name }) => name.startsWith(wanted) && name !== wanted)
    .map(({ name, argument, summary }) => {
      const insert = `/${name}`
      return { insert, label: argument ? `${insert} [${argument}]` : insert, hint: summary }
    })
  return choices.length > 0 ? { start, choices } : undefined
}

/** The command in a message, if it is one; parsed the way the bot parses it. */
export function commandIn(text, commands) {
  const [, word] = /^\s*(?:@bobbin[,:]?\s+)?\/([a-z]{3,10})(?:\s|$)/i.exec(text) ?? []
  return commands.find(({ name }) => name === word?.toLowerCase())
}

const people = (wanted) =>
  'bobbin'.startsWith(wanted) && wanted !== 'bobbin' ? [{ insert: '@bobbin', label: '@bobbin', hint: 'the bot' }] : []

/** Tools that become available in a thread when somebody mentions them. */
const toolsBy = (wanted, tools) =>
  tools
    .filter(({ name, tier }) => tier === 'by_name' && name.includes(wanted) && name !== wanted)
    .slice(0, mostChoices)
    .map(({ name, description }) => ({ insert: `@${name}`, label: `@${name}`, hint: firstSentence(description) }))

const firstSentence = (text) => /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0]

function namesOf(files, wanted) {
  const isShared = (name) => files.filter(({ path }) => fileName(path) === name).length > 1
  const rank = ({ path }) => (fileName(path).toLowerCase().startsWith(wanted) ? 0 : 1)
  return files
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, mostChoices)
    .map(({ path }) => {
      const name = fileName(path)
      const insert = `#${isShared(name) ? path : name}`
      return { insert, label: insert, hint: path }
    })
    .filter(({ insert }) => insert.toLowerCase() !== `#${wanted}`)
}

/** The text with the choice in place of what was typed, and where the cursor goes. */
export function complete(text, cursor, start, insert) {
  const after = text.slice(cursor)
  const space = /^\s/.test(after) ? '' : ' '
  const before = text.slice(0, start) + insert + space
  return { text: before + after, cursor: before.length + (space ? 0 : 1) }
}
