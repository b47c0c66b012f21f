import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { Failure } from '../../../kit/failure.ts'

const begins = 'sealed1.'
const keyFrom = promisify(scrypt) as (password: string, salt: Buffer, bytes: number) => Promise<Buffer>

/** A text that can only be read with the key. */
export async function sealed(text: string, key: string): Promise<string> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await keyFrom(key, salt, 32), nonce)
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return begins + Buffer.concat([salt, nonce, cipher.getAuthTag(), bytes]).toString('base64url')
}

/** What was sealed; what never was comes back as it is. Throws `mcp_login` without the right key. */
export async function unsealed(text: string, key: string | undefined): Promise<string> {
  if (!text.startsWith(begins)) return text
  const bytes = Buffer.from(text.slice(begins.length), 'base64url')
  try {
    if (key === undefined) throw new Error('there is no key')
    const decipher = createDecipheriv(
      'aes-256-gcm',
      await keyFrom(key, bytes.subarray(0, 16), 32),
      bytes.subarray(16, 28),
    )
    decipher.setAuthTag(bytes.subarray(28, 44))
    return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]).toString('utf8')
  } catch (thrown) {
    const remedy = 'Give `logins.key` in config/mcp_servers.yaml as it was, or log in again.'
    throw new Failure('mcp_login', 'its login can’t be read with this key', remedy, { cause: thrown })
  }
}
