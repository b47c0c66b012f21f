import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, mind } from '../domain/finding.ts'
import { isServer } from '../store/place.ts'
import { doctorWords } from './words.ts'

/** Databases in the data directory that this bot doesn't use. None is opened: that would leave files beside it. */
export async function* formerFindings(dataDir: string, database: string): AsyncGenerator<Finding> {
  const names: string[] = await readdir(dataDir).catch(() => [])
  if (isServer(database) && names.includes('bobbin.db')) {
    const fact = doctorWords.unusedDatabase({ file: join(dataDir, 'bobbin.db') })
    yield mind(fact, doctorWords.unusedRemedy(), doctorWords.unusedMoveRemedy())
  }
  const former = names.filter((name) => /^bobbin\.db\.moved-[\dT-]+$/.test(name)).map((name) => join(dataDir, name))
  const files = former.join(', ')
  if (former.length > 0) yield mind(doctorWords.formerDatabases({ files }), doctorWords.formerRemedy())
}
