import { z } from 'zod'
import { readJson } from '../../read-json.ts'

/** What finding a message will need besides its key. */
const note = z.object({
  /** Ids of the files that it may contain. */
  files: z.array(z.string()).default([]),
  /** Slack was asked to post them: it may still do so. */
  sent: z.boolean().default(false),
  /** It may have begun as a stream, which gets the key only at its end. Then it is newer than this message. */
  streamAfter: z.string().optional(),
})
export type Note = z.output<typeof note>

export const writeNote = (value: Partial<Note>): string => JSON.stringify(value)

export const readNote = (text: string | undefined): Note => readJson(text, note) ?? note.parse({})
