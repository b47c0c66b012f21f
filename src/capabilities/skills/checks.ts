import { join } from 'node:path'
import { type Config, databasePlace } from '../../config/config.ts'
import { broken, type Finding } from '../../domain/finding.ts'
import { systemClock } from '../../kit/clock.ts'
import { reasonOf } from '../../kit/failure.ts'
import { hasDatabase } from '../../store/place.ts'
import { installedSkills } from '../../store/skills.ts'
import { Store } from '../../store/store.ts'
import { openShelf } from './shelf.ts'
import { readContent } from './team-content.ts'
import { skillsWords } from './words.ts'

/** Which skills that teams have installed can't be read. */
export async function* shelfFindings(config: Config): AsyncGenerator<Finding> {
  const folder = join(config.dataDir, 'skills')
  const shelf = openShelf(folder)
  // Another check reports what is wrong with the database.
  const installed = await installedIn(databasePlace(config)).catch(() => [])
  for (const skill of installed) {
    try {
      await readContent(skill, shelf)
    } catch (thrown) {
      const fact = skillsWords.storedUnreadable({ name: skill.name, reason: reasonOf(thrown) })
      yield broken(fact, skillsWords.storedUnreadableRemedy({ folder }))
    }
  }
}

async function installedIn(place: string) {
  if (!hasDatabase(place)) return []
  const store = await Store.open(place, systemClock, undefined, { migrates: false })
  try {
    return await installedSkills(store.db)
  } finally {
    await store.close()
  }
}
