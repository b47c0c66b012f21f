import { type Decoder, decoderOf } from '../../../text/decoder.ts'
import { decodeText } from '../../../text/encoding.ts'
import { encodingOf } from '../../../text/plain-text.ts'

/** A byte order mark counts most, then the server, then the page itself; otherwise appearance decides. */
export function decodedPage(bytes: Uint8Array, charset: string | undefined): string {
  if (encodingOf(bytes).markBytes > 0) return decodeText(bytes).text
  const decoder = declared(charset) ?? declared(declaredIn(bytes))
  return decoder === undefined ? decodeText(bytes).text : decoder.decode(bytes)
}

/** As browsers look for it: in the first 1,024 bytes. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const charset = /<meta\s[^>]{0,300}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i.exec(head)?.[1]
  // The page couldn't be read if it were true.
  return charset !== undefined && /^utf-?16/i.test(charset) ? 'utf-8' : charset
}

function declared(charset: string | undefined): Decoder | undefined {
  try {
    return charset === undefined ? undefined : decoderOf(charset)
  } catch {
    // An unknown one says nothing.
    return undefined
  }
}
