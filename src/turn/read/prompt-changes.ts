import { appendMessage } from '../../store/messages.ts'
import { writePrompt } from '../../store/prompts.ts'
import type { Tx } from '../../store/store.ts'
import { changeText, type PromptChanges, toldWith } from '../prompt/sections.ts'
import { isAnswer } from '../settle/finished.ts'
import type { SystemPrompt } from '../state/system-prompt.ts'
import type { Turn } from '../state/turn.ts'

/**
 * The changes of the instructions that should be told now. A turn that already has its answer leaves them to the next
 * one.
 */
export async function changesDue({ prompt, journal }: Turn): Promise<PromptChanges | undefined> {
  if (prompt.changes === undefined || journal.steps === 0) return prompt.changes
  return isAnswer((await journal.history(1)).at(-1)) ? undefined : prompt.changes
}

/** Tells changes at the current place in the history and remembers what was told. Returns the new prompt. */
export async function tellAndStore(tx: Tx, changes: PromptChanges | undefined, turn: Turn): Promise<SystemPrompt> {
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
