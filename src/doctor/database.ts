import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import type { DatabaseReport } from '../store/database-report.ts'
import { aboutDatabase, inspectDatabase, nodesIn } from '../store/inspect.ts'
import type { MoveProgress } from '../store/move-note.ts'
import { moved } from '../store/moved.ts'
import { isServer } from '../store/place.ts'
import { storeWords } from '../store/words.ts'
import { nodeFindings } from './nodes.ts'
import { doctorWords } from './words.ts'

/** Checks the database, as far as it can be read. */
export async function* databaseFindings(place: string, silentMs: number): AsyncGenerator<Finding> {
  const { name, restore } = aboutDatabase(place)
  let inspection: DatabaseReport | undefined
  try {
    inspection = await inspectDatabase(place)
  } catch (thrown) {
    yield unreadableFinding(thrown, name, restore)
    return
  }
  if (inspection === undefined) {
    yield fine(doctorWords.databaseToCome())
    return
  }
  const fault = isServer(place) ? undefined : await accessFault(place)
  if (fault !== undefined)
    yield broken(doctorWords.databaseNotWritable({ name, reason: fault }), doctorWords.databaseNotWritableRemedy())
  const { faults, newer, sessions, refused, failed, isBehind, move } = inspection
  if (faults.length > 0) yield broken(doctorWords.databaseDamaged({ name, faults: faults.join('; ') }), restore)
  else if (newer !== undefined) yield broken(newer.message, newer.remedy)
  else yield fine(doctorWords.databaseSound({ count: sessions }))

  if (faults.length === 0 && isBehind) yield broken(storeWords.olderThanItsMark(), storeWords.olderThanItsMarkRemedy())
  if (move !== undefined) yield movedFinding(move)

  yield* nodeFindings(await nodesIn(place, inspection, silentMs))
  for (const { platform, reason, remedy, count } of refused) {
    const messages = count === 1 ? '1 message waits' : `${count} messages wait`
    yield mind(`${messages} to be posted on ${platform}: ${reason}.`, ...(remedy === '' ? [] : [`${remedy}.`]))
  }
  for (const { kind, reason, count } of failed)
    yield mind(`${count === 1 ? doctorWords.backgroundJob() : `${count} background jobs`} failed (${kind}): ${reason}`)
}

/** Only for a damaged one, an older one is the remedy. */
function unreadableFinding(thrown: unknown, name: string, restore: string): Finding {
  const fault = asUnavailable(thrown)
  if (fault !== undefined && fault.code !== 'database_damaged') return broken(fault.message, fault.remedyAfterwards)
  if (thrown instanceof Failure) return broken(thrown.message, thrown.remedy)
  return broken(doctorWords.databaseUnreadable({ name, reason: reasonOf(thrown) }), restore)
}

const accessFault = (file: string): Promise<string | undefined> =>
  access(file, constants.R_OK | constants.W_OK).then(() => undefined, reasonOf)

function movedFinding(move: MoveProgress): Finding {
  const { message, remedy } = moved(move)
  return broken(message, remedy)
}
