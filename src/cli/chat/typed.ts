import { cliWords } from '../words.ts'

/** A line that somebody typed. */
export type Typed =
  /** `aside`: it answers no question that waits. */
  | { kind: 'say'; text: string; aside?: true }
  | { kind: 'attach'; path: string }
  | { kind: 'get'; path: string; to: string | undefined }
  | { kind: 'files' | 'stop' | 'quit' | 'help' }
  | { kind: 'unclear'; about: string }

export const chatHelp = `  /attach <path>       attaches a file to your next message
  /files               lists the thread’s files
  /get <file> [path]   saves one of them here
  /say <text>          writes a message although a question waits
  /stop                stops the turn (or Ctrl-C; a second one leaves)
  /quit                leaves; the thread stays (or Ctrl-D)
  //text               a message that begins with a slash
A line that ends with \\ continues on the next one; several pasted lines are one message. Bobbin’s own commands work too: say "help".`

/** What a line means. Only these words are commands; Bobbin itself has others. */
export function typed(line: string): Typed {
  const [, word = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? []
  const argument = rest.trim()
  if (!line.startsWith('/')) return { kind: 'say', text: line }
  if (line.startsWith('//')) return { kind: 'say', text: line.slice(1) }
  if (word === 'say') return { kind: 'say', text: argument, aside: true }
  if (word === 'files' || word === 'stop' || word === 'quit' || word === 'help') return { kind: word }
  if (word === 'attach' && argument !== '') return { kind: 'attach', path: unquoted(argument) }
  if (word === 'get' && argument !== '') {
    const [path = '', to] = argument.match(/"[^"]*"|'[^']*'|\S+/g)?.map(unquoted) ?? []
    return { kind: 'get', path, to }
  }
  return {
    kind: 'unclear',
    about: cliWords.noChatCommand({ command: `/${word}` }),
  }
}

/** Terminals put quotes around a path that is dropped into them, or backslashes before its spaces. */
const unquoted = (text: string): string => text.replace(/^(['"])(.*)\1$/s, '$2').replace(/\\ /g, ' ')

/** A path as `/get` reads it. */
export const quoted = (path: string): string => {
  if (!/[\s'"]/.test(path)) return path
  return path.includes('"') ? `'${path}'` : `"${path}"`
}
