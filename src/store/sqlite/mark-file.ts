import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The file beside the database that says up to where its marks were stored. */
const markFile = (databaseFile: string): string => `${databaseFile}.last`

/** 0 when there is none, or a power failure took it: then nothing is claimed. */
export function readMark(databaseFile: string): number {
  const file = markFile(databaseFile)
  if (!existsSync(file)) return 0
  const number = Number(readFileSync(file, 'utf8'))
  return Number.isSafeInteger(number) ? number : 0
}

export function writeMark(databaseFile: string, number: number): void {
  const file = markFile(databaseFile)
  writeFileSync(`${file}.new`, String(number), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
