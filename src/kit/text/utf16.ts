/**
 * Text of two little-endian bytes a character. A half character at the end is left out: given an odd number of bytes,
 * Node 24's own `toString('utf16le')` may write past the end of its memory, which ends the process.
 */
export const textOfUtf16 = (bytes: Buffer): string => bytes.toString('utf16le', 0, bytes.length - (bytes.length % 2))
