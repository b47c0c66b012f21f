import { createHash, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Workspace } from '../../../domain/workspace.ts'
import { Failure } from '../../../kit/failure.ts'
import { documentsWords } from '../words.ts'

/** How much is hashed before the event loop gets its turn. */
const stepBytes = 1024 * 1024

/**
 * Reads a file piece by piece. `into`: where to keep its bytes as well. Throws `changed` if it grows or shrinks
 * meanwhile.
 */
export async function hashOf(
  workspace: Workspace,
  path: string,
  size: number,
  signal: AbortSignal,
  into?: Uint8Array,
): Promise<string> {
  const hash = createHash('sha256')
  for (let offset = 0; offset < size; offset += stepBytes) {
    signal.throwIfAborted()
    const bytes = await workspace.readRange(path, offset, Math.min(stepBytes, size - offset))
    if (bytes.byteLength < Math.min(stepBytes, size - offset)) throw stillChanging()
    hash.update(bytes)
    into?.set(bytes, offset)
  }
  return hash.digest('hex')
}

export const stillChanging = (): Failure =>
  new Failure('changed', documentsWords.beingChanged(), documentsWords.beingChangedRemedy())

const derive = promisify<string, string, number, Buffer>(scrypt)

/**
 * An entry of a protected file can be found only with its password. The hash is slow on purpose, so that nobody who has
 * the index can guess passwords.
 */
export const keyOf = async (content: string, password: string | undefined): Promise<string> =>
  password === undefined ? content : (await derive(password, content, 32)).toString('hex')
