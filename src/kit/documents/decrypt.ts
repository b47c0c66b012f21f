import type { Failure } from '../failure.ts'
import { documentKindOf } from '../files/document-kind.ts'
import { openOle } from './ole.ts'
import { damaged, notReadable, passwordNeeded, passwordWrong, type SourceFile } from './parse.ts'

/**
 * The document inside a protected Office file; any other file as it is. Throws `password_needed`, `password_wrong`,
 * `damaged`, `not_readable`.
 */
export async function unlocked(file: SourceFile): Promise<SourceFile> {
  const { name, bytes, password } = file
  if (documentKindOf(name, bytes.subarray(0, 512)) !== 'ole') return file
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { outer } = openOle(buffer)
  if (outer.has('\tDRMContent')) throw managed()
  if (!outer.has('EncryptedPackage')) return file
  // What is opened with a password says how.
  if (!outer.has('EncryptionInfo')) throw managed()
  if (!password) throw passwordNeeded()
  return { name, bytes: await decrypt(buffer, password) }
}

/** Word opens it by asking a server who may read it; there is no password. */
const managed = (): Failure =>
  notReadable(
    'protected by rights management, as with a sensitivity label',
    'Ask for a copy without that protection, or for a PDF made by printing it: a password is of no use.',
  )

/** The same file without its password. */
export async function decrypt(bytes: Buffer, password: string): Promise<Buffer> {
  // Loaded only for the few files that need it.
  const { default: officeCrypto } = await import('officecrypto-tool')
  try {
    return await officeCrypto.decrypt(bytes, { password })
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : ''
    if (/password/i.test(reason)) throw passwordWrong()
    if (/unsupported/i.test(reason)) {
      throw notReadable('encrypted in an unusual way', 'Ask for it without a password.')
    }
    throw damaged('it cannot be decrypted', thrown)
  }
}
