import type { Keeper } from '../database.ts'
import { checkDatabase } from './check.ts'
import { readMark, writeMark } from './mark-file.ts'

export const keeperOf = (databaseFile: string): Keeper => ({
  faults: (signal) => checkDatabase(databaseFile, signal),
  marked: () => readMark(databaseFile),
  mark: (number) => writeMark(databaseFile, number),
})
