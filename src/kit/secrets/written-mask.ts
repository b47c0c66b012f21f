import { Failure } from '../failure.ts'

/** As a mask looks, or as a model copies it: `[secret: a password]`, but no type such as `[secret: string]`. */
const mask = /\[secret: (?:an? |the bot[’']s own )[^\][\\\n]{1,200}\]/g

const remedy =
  'Leave it out: edit_file keeps all that an edit doesn’t touch, and a command can copy a file, or replace a line by its number. Where nobody needs the value, write “(hidden)”. To search for such a word itself, write `\\[secret:`.'

const masksIn = (text: string): string[] => text.match(mask) ?? []

export const hasMask = (text: string): boolean => masksIn(text).length > 0

/**
 * Refuses a text of the model's that is to be written or run, if it has a mask in it: that would replace the value it
 * stands for. `what` says which text it is. As many as `present` has itself are words, not masks.
 */
export function refuseMask(what: string, text: string, present = ''): void {
  const words = masksIn(present)
  for (const found of masksIn(text)) {
    const at = words.indexOf(found)
    if (at === -1)
      throw new Failure('masked', `${what} contains “${found}”, which stands for a value you aren’t shown.`, remedy)
    words.splice(at, 1)
  }
}
