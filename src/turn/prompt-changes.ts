import { appendMessage } from '../store/messages.ts'
import { writePrompt } from '../store/prompts.ts'
import type { Tx } from '../store/store.ts'
import { isAnswer } from './finished.ts'
import { type Changes, changeText, toldWith } from './sections.ts'
import type { SystemPrompt } from './system-prompt.ts'
import type { Turn } from './turn.ts'

/** What of the instructions is to be told now. A turn that has its answer only has to end: the next one tells it. */
export async function changesDue({ prompt, journal }: Turn): Promise<Changes | undefined> {
  if (prompt.changes === undefined || journal.steps === 0) return prompt.changes
  return isAnswer((await journal.history(1)).at(-1)) ? undefined : prompt.changes
}

/** Tells changes where the history is now, and stores what has been told. Returns the prompt as it stands then. */
export async function tellAndStore(tx: Tx, changes: Changes | undefined, turn: Turn): Promise<SystemPrompt> {
  const { prompt, session, row } = turn
  if (changes !== undefined) {
    const text = changeText(changes)
    const message = { role: 'user', turn: row.id, text, origin: 'prompt', files: [] } as const
    const { seq: at } = await appendMessage(tx, session.id, { ...message, files: [] })
    const told = toldWith(prompt.told, changes, at)
    await writePrompt(tx, session.id, { ...prompt, told, shared: '' })
    return { ...prompt, told, shared: '', changes: undefined, isStored: true }
  }
  if (!prompt.isStored) await writePrompt(tx, session.id, prompt)
  return { ...prompt, shared: '', isStored: true }
}
