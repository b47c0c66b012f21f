import { createCipheriv, createHash, randomBytes } from 'node:crypto'

/** How the writer encrypts strings and streams, and the dictionary that says so. */
export interface Encryption {
  dictionary: string
  encrypt(data: Buffer, object: number): Buffer
}

export interface Protection {
  method: 'rc4' | 'aes-256'
  /** Opens the file; may be empty. */
  user: string
  owner: string
}

export const fileId = Buffer.from('0123456789abcdef')

/** Everything but changing is allowed. */
const permissions = -1852

export const encryptionOf = (protection: Protection): Encryption =>
  protection.method === 'rc4' ? rc4Encryption(protection) : aesEncryption(protection)

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
const md5 = (...data: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(data)).digest()
const hex = (data: Buffer): string => `<${data.toString('hex')}>`

function repeated(data: Buffer): Buffer {
  let hash = md5(data)
  for (let round = 0; round < 50; round++) hash = md5(hash)
  return hash
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number): number => state[index & 255] ?? 0
  const swap = (one: number, other: number) => {
    const kept = at(one)
    state[one & 255] = at(other)
    state[other & 255] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(data).map((byte) => {
    i = (i + 1) & 255
    j = (j + at(i)) & 255
    swap(i, j)
    return byte ^ at(at(i) + at(j))
  }) as Buffer // `map` of a Buffer makes a Buffer
}

function rounds(key: Buffer, data: Buffer): Buffer {
  let result = data
  for (let round = 0; round < 20; round++) result = rc4(Buffer.from(key.map((byte) => byte ^ round)), result)
  return result
}

/** Version 2, revision 3, 128 bits. */
function rc4Encryption({ user, owner }: Protection): Encryption {
  const o = rounds(repeated(padded(owner)), padded(user))
  const p = Buffer.alloc(4)
  p.writeInt32LE(permissions)
  const key = repeated(Buffer.concat([padded(user), o, p, fileId]))
  const u = Buffer.concat([rounds(key, md5(padding, fileId)), Buffer.alloc(16)])
  return {
    dictionary: `<< /Filter /Standard /V 2 /R 3 /Length 128 /O ${hex(o)} /U ${hex(u)} /P ${permissions} >>`,
    encrypt: (data, object) => rc4(md5(key, Buffer.from([object & 255, object >> 8, 0, 0, 0])), data),
  }
}

const aes = (key: Buffer, iv: Buffer, data: Buffer, isPadded: boolean): Buffer => {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(isPadded)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** The hash of revision 6: rounds of AES whose number the data decides. */
function hashed(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let key = createHash('sha256')
    .update(Buffer.concat([password, salt, more]))
    .digest()
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = Buffer.concat(Array(64).fill(Buffer.concat([password, key, more])))
    const encrypted = aes(key.subarray(0, 16), key.subarray(16, 32), block, false)
    const rest = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(['sha256', 'sha384', 'sha512'][rest] ?? 'sha256')
      .update(encrypted)
      .digest()
    last = encrypted.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}

/** Version 5, revision 6, AES with 256 bits. */
function aesEncryption({ user, owner }: Protection): Encryption {
  const key = randomBytes(32)
  const none = Buffer.alloc(16)
  const entry = (password: string, more: Buffer): [Buffer, Buffer] => {
    const [validation, salt] = [randomBytes(8), randomBytes(8)]
    const bytes = Buffer.from(password)
    const check = Buffer.concat([hashed(bytes, validation, more), validation, salt])
    return [check, aes(hashed(bytes, salt, more), none, key, false)]
  }
  const [u, ue] = entry(user, Buffer.alloc(0))
  const [o, oe] = entry(owner, u)
  const perms = Buffer.alloc(16, 'Tadb', 'latin1')
  perms.writeInt32LE(permissions, 0)
  perms.fill(255, 4, 8)
  perms.write('Tadb', 8, 'latin1')
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const filter = '/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF'
  return {
    dictionary:
      `<< /Filter /Standard /V 5 /R 6 /Length 256 ${filter} /P ${permissions} /O ${hex(o)} /OE ${hex(oe)} ` +
      `/U ${hex(u)} /UE ${hex(ue)} /Perms ${hex(cipher.update(perms))} >>`,
    encrypt: (data) => {
      const iv = randomBytes(16)
      return Buffer.concat([iv, aes(key, iv, data, true)])
    },
  }
}
