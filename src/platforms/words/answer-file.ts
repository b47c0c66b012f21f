import type { OutgoingFile } from '../platform.ts'

/** An answer that is too long for a chat, in full, as the model wrote it. */
export function answerFile(text: string): OutgoingFile {
  const bytes = new TextEncoder().encode(text)
  const name = 'answer.md'
  return { name, path: name, type: 'text/markdown', size: bytes.byteLength, bytes: async () => bytes }
}
