import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, mind } from '../domain/finding.ts'
import { inspectDatabase } from '../store/inspect.ts'
import { isServer } from '../store/place.ts'
import { doctorWords } from './words.ts'

/** Databases in the data directory that this bot doesn't use: what a move left holds all that was said until then. */
export async function* formerFindings(dataDir: string, database: string): AsyncGenerator<Finding> {
  const names = await readdir(dataDir).catch(() => [])
  const former = names.filter((name) => /^bobbin\.db\.moved-[\dT-]+$/.test(name)).map((name) => join(dataDir, name))
  if (isServer(database)) {
    const file = join(dataDir, 'bobbin.db')
    const there = await inspectDatabase(file).catch(() => undefined)
    if (there?.move?.state === 'left') former.unshift(file)
    else if (there !== undefined && there.move === undefined && there.sessions > 0)
      yield mind(doctorWords.neverMoved({ file, count: there.sessions }), doctorWords.neverMovedRemedy())
  }
  const files = former.join(', ')
  if (former.length > 0) yield mind(doctorWords.formerDatabases({ files }), doctorWords.formerRemedy())
}
