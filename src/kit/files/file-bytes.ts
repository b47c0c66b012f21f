/** A file that is read in parts: `range` returns less at the end of the file. */
export interface FileBytes {
  /** Bytes. */
  size: number
  range(offset: number, length: number): Promise<Uint8Array>
}

export const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
