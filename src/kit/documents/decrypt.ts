import { documentKindOf } from '../files/document-kind.ts'
import { openOle } from './ole.ts'
import { damaged, notReadable, passwordNeeded, passwordWrong, type SourceFile } from './parse.ts'

/**
 * The document inside a protected Office file; any other file as it is. Throws `password_needed`, `password_wrong`,
 * `damaged`.
 */
export async function unlocked(file: SourceFile): Promise<SourceFile> {
  const { name, bytes, password } = file
  if (documentKindOf(name, bytes.subarray(0, 512)) !== 'ole') return file
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!openOle(buffer).outer.has('EncryptedPackage')) return file
  if (!password) throw passwordNeeded()
  return { name, bytes: await decrypt(buffer, password) }
}

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
