import type { SessionId } from '../domain/ids.ts'
import type { RecognizedText, StoredText } from './recognized-row.ts'
import type { Db, Tx } from './store.ts'

/** What was recognized for a session in a file of this content, in the order of its pages. */
export const recognizedIn = (db: Db, session: SessionId, content: string): Promise<StoredText[]> =>
  db
    .selectFrom('recognized_pages')
    .select(['page', 'way', 'text', 'tries', 'made_at'])
    .where('session_id', '=', session)
    .where('content', '=', content)
    .orderBy('page')
    .execute()

/** What was recognized in the same page for any session. */
export const recognizedBefore = (db: Db, content: string, page: number): Promise<RecognizedText | undefined> =>
  db
    .selectFrom('recognized_pages')
    .select(['page', 'way', 'text'])
    .where('content', '=', content)
    .where('page', '=', page)
    .where('text', 'is not', null)
    .limit(1)
    .executeTakeFirst()

/** `tries`: how often it was tried, this time included. What was recognized before stays. */
export async function putRecognized(
  tx: Tx,
  session: SessionId,
  content: string,
  { page, way, text, tries }: RecognizedText & { tries: number },
): Promise<void> {
  const tried = { way, text, tries, made_at: tx.now }
  await tx.db
    .insertInto('recognized_pages')
    .values({ session_id: session, content, page, ...tried })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'content', 'page']).doUpdateSet(tried).where('recognized_pages.text', 'is', null),
    )
    .execute()
}
