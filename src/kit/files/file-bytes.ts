/** A file of which parts are read: `range` gives less at its end. */
export interface FileBytes {
  /** Bytes. */
  size: number
  range(offset: number, length: number): Promise<Uint8Array>
}

export const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
