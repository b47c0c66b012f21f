import type { Workspace } from '../../domain/workspace.ts'
import { reasonOf } from '../../kit/failure.ts'
import { cutUtf8 } from '../../kit/text/text.ts'
import { LeaseLost } from '../../store/lease-lost.ts'

interface Cutting {
  workspace: Workspace
  mask(text: string): string
  maxBytes: number
  /** How much of a line read_file shows at first. */
  lineCharacters: number
}

/**
 * Cuts a tool's result to `maxBytes` for the model. The rest can be read in temp/; the last line says where. Secrets
 * are masked first, because nobody would recognize a part of one.
 */
export async function cutResult(
  call: string,
  whole: string,
  { workspace, mask, maxBytes, lineCharacters }: Cutting,
): Promise<string> {
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const text = mask(whole)
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes) return text
  const shown = cutUtf8(text, maxBytes)
  const path = `temp/${call}.txt`
  const fact = `Cut: ${Buffer.byteLength(shown)} of ${bytes} bytes are shown.`
  try {
    await workspace.write(path, text)
  } catch (thrown) {
    if (thrown instanceof LeaseLost) throw thrown
    return `${shown}\n[${fact} The rest could not be kept: ${reasonOf(thrown)}]`
  }
  const lines = shown.split('\n')
  const last = lines.at(-1)?.length ?? 0
  const column = last > lineCharacters ? `, column ${last + 1}` : ''
  return `${shown}\n[${fact} All of it is in ${path}; read on with read_file, offset ${lines.length}${column}.]`
}
