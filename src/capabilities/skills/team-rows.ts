import { type SkillScope, type TeamSkill, teamSkills } from '../../store/skills.ts'
import type { Store } from '../../store/store.ts'

/** More places than this are forgotten and looked up again. */
const mostPlaces = 1_000

interface Known {
  rows: Map<string, readonly TeamSkill[]>
  changes: number
}

const known = new WeakMap<Store, Known>()

/** What the team has in a channel. Remembered where no other process can change it, because every message asks. */
export async function rowsFor(store: Store, place: SkillScope): Promise<readonly TeamSkill[]> {
  if (store.wire !== undefined) return teamSkills(store.db, place)
  const own = known.get(store) ?? remember(store)
  const key = JSON.stringify([place.platform, place.tenant, place.project])
  const rows = own.rows.get(key)
  if (rows !== undefined) return rows
  const before = own.changes
  const read = await teamSkills(store.db, place)
  if (own.rows.size >= mostPlaces) own.rows.clear()
  // Read before a change, it may be stored after it.
  if (own.changes === before) own.rows.set(key, read)
  return read
}

function remember(store: Store): Known {
  const own: Known = { rows: new Map(), changes: 0 }
  store.whenChanged('skills', () => {
    own.changes++
    own.rows.clear()
  })
  known.set(store, own)
  return own
}
