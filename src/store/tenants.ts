import type { Db } from './store.ts'

/** A Slack workspace, a Discord server, or all direct messages on Discord. */
export interface Tenant {
  platform: string
  tenant: string
}

/** Those in which there are threads, besides the console's own. */
export const tenantsOf = (db: Db): Promise<Tenant[]> =>
  db
    .selectFrom('sessions')
    .select(['platform', 'tenant'])
    .distinct()
    .where('platform', '<>', 'console')
    .orderBy('platform')
    .orderBy('tenant')
    .execute()
