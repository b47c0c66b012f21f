import type { ParserPool } from '../../../src/kit/documents/pool.ts'
import { Failure } from '../../../src/kit/failure.ts'
import type { NamedFile } from './samples.ts'

/** How reading one file ended. A fault is what must not be: an error that is none of ours, or that says nothing. */
export type Outcome =
  | { is: 'text'; kind: string; parts: number; characters: number; notes: string[] }
  | { is: 'error'; code: string; message: string; remedy: string }
  | { is: 'fault'; fault: string }

export async function outcomeOf(pool: ParserPool, { name, bytes }: NamedFile): Promise<Outcome> {
  try {
    const { document } = await pool.parse({ name, bytes }, new AbortController().signal)
    const { kind, parts, notes } = document
    const characters = parts.reduce((sum, { text }) => sum + text.length, 0)
    if (characters === 0 && notes.length === 0) return { is: 'fault', fault: `${kind}: no text, and no word of why` }
    return { is: 'text', kind, parts: parts.length, characters, notes }
  } catch (thrown) {
    if (!(thrown instanceof Failure)) return { is: 'fault', fault: String(thrown) }
    const { code, message, remedy } = thrown
    return remedy === '' ? { is: 'fault', fault: `no remedy: ${message}` } : { is: 'error', code, message, remedy }
  }
}

const sound: NamedFile = { name: 'sound.csv', bytes: Buffer.from('name,number\nAna,17\n') }

/** Whether the pool still reads a sound file as it should. */
export async function readsOn(pool: ParserPool): Promise<boolean> {
  const { document } = await pool.parse(sound, new AbortController().signal)
  return document.parts.some(({ text }) => text.includes('Ana') && text.includes('17'))
}
