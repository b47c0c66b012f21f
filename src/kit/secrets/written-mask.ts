import { Failure } from '../failure.ts'

/** As a mask looks, or as a model copies it: `[secret: a password]`, but no type such as `[secret: string]`. */
const mask = /\[secret: (?:an? |the bot[’']s own )[^\][\\\n]{1,200}\]/g

const leaveOut =
  'Leave it out: edit_file keeps all that an edit doesn’t touch, and a command can copy a file, or replace a line by its number. In a new file, “(hidden)” can stand for a value that nobody needs. Where it is only a word, in a text or a search, write `\\[secret: …\\]`.'

export const hasMask = (text: string): boolean => text.search(mask) !== -1

const notSent = `Send only what changes, if the other side keeps the rest. A secret of the settings goes into a request as \${NAME}. In words for people, write “(hidden)”.`

/**
 * Refuses a text of the model's that is to be written or run, if it has a mask in it: that would replace the value it
 * stands for. `what` says which text it is, `isWord` whether a line stands in the file like that, so that nothing does.
 */
export function refuseMask(what: string, text: string, isWord: (line: string) => boolean = () => false): void {
  refuse(what, text, isWord, leaveOut)
}

/** The same for what is sent to where it may replace that value. */
export const refuseSentMask = (what: string, text: string): void => refuse(what, text, () => false, notSent)

function refuse(what: string, text: string, isWord: (line: string) => boolean, remedy: string): void {
  const line = text.split('\n').find((line) => hasMask(line) && !isWord(line))
  if (line === undefined) return
  const found = line.match(mask)?.[0]
  throw new Failure('masked', `${what} contains “${found}”, which stands for a value you aren’t shown.`, remedy)
}
