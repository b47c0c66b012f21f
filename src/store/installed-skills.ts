import type { TeamSkill } from './skills.ts'
import type { Db } from './store.ts'

/** Each content that is in force somewhere, with the name it was installed under. */
export const installedSkills = (db: Db): Promise<Pick<TeamSkill, 'name' | 'hash'>[]> =>
  db
    .selectFrom('skills')
    .select(['name', 'hash'])
    .distinct()
    .where('hash', '<>', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('skills as later')
            .select('later.name')
            .whereRef('later.platform', '=', 'skills.platform')
            .whereRef('later.tenant', '=', 'skills.tenant')
            .whereRef('later.project', '=', 'skills.project')
            .whereRef('later.name', '=', 'skills.name')
            .whereRef('later.version', '>', 'skills.version'),
        ),
      ),
    )
    .orderBy('name')
    .execute()
