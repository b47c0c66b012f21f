import { createHash, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Workspace } from '../../../domain/workspace.ts'
import { Failure } from '../../../kit/failure.ts'

/** Hashed between two turns of the event loop. */
const stepBytes = 1024 * 1024

/** Reads a file bit by bit. `into`: where its bytes are kept as well. Throws `changed` when it grows or shrinks meanwhile. */
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
    if (bytes.byteLength < Math.min(stepBytes, size - offset))
      throw new Failure('changed', 'It’s being changed right now.', 'Try again in a moment.')
    hash.update(bytes)
    into?.set(bytes, offset)
  }
  return hash.digest('hex')
}

const derive = promisify<string, string, number, Buffer>(scrypt)

/**
 * What is kept of a protected file is found with its password only. Slow on purpose: who has the index may not try out
 * passwords.
 */
export const keyOf = async (content: string, password: string | undefined): Promise<string> =>
  password === undefined ? content : (await derive(password, content, 32)).toString('hex')
