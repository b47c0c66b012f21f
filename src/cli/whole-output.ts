import { fstatSync, writeSync } from 'node:fs'

/** Node ignores how much of a write a file takes, so on a disk that fills up, the rest would be missing. */
export function writeWholeOutput(): void {
  const { fd } = process.stdout
  if (fd === undefined || !fstatSync(fd).isFile()) return
  process.stdout._write = (bytes: Buffer, _encoding, done) => {
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    } catch (thrown) {
      return done(thrown as Error)
    }
    done()
  }
}
