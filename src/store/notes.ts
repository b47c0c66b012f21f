import type { Store } from './store.ts'

/** What a platform keeps over a restart, by name. */
export const notesIn = (store: Store) => ({
  async get(name: string): Promise<string | undefined> {
    const row = await store.db.selectFrom('notes').select('value').where('name', '=', name).executeTakeFirst()
    return row?.value
  },
  set: (name: string, value: string): Promise<void> =>
    store.transaction(async (tx) => {
      await tx.db
        .insertInto('notes')
        .values({ name, value, updated_at: tx.now })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: tx.now }))
        .execute()
    }),
})
