import { DosDecoder } from './dos.ts'
import { KoreanDecoder } from './korean.ts'

/** What a `TextDecoder` does, of one text after another. */
export interface Decoder {
  decode(bytes: Uint8Array, options?: { stream?: boolean }): string
}

/** Throws if nobody knows the encoding. */
export function decoderOf(encoding: string, options?: ConstructorParameters<typeof TextDecoder>[1]): Decoder {
  if (encoding === 'ibm850') return new DosDecoder()
  const decoder = new TextDecoder(encoding, options)
  return decoder.encoding === 'euc-kr' ? new KoreanDecoder(decoder) : decoder
}
