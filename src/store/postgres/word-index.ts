import { sql } from 'kysely'
import type { SessionId } from '../../domain/ids.ts'
import { withoutAccents } from '../../kit/text/search-words.ts'
import { isSaid, type WordIndex } from '../word-index.ts'

// The server keeps its index itself. These have to be word for word as in the index, or it reads every message.
const wordsIn = (text: string) =>
  sql.raw(String.raw`to_tsvector('simple', translate(normalize(regexp_replace(normalize(${text}, NFD),
    '([A-Za-z])[\u0300-\u0331]+', '\1', 'g'), NFC), './:@_#-', '       '))`)
const inMessages = wordsIn('left(text, 50000)')
const inTitle = wordsIn('title')

const matching = (words: string[]) =>
  sql`to_tsquery('simple', ${words.map((word) => `'${withoutAccents(word)}':*`).join(' & ')})`

export const postgresWords: WordIndex = {
  async catchUp() {},
  has(words) {
    return sql`(${inTitle} @@ ${matching(words)} or sessions.id in (
      select session_id from messages where ${sql.raw(isSaid)} and ${inMessages} @@ ${matching(words)}))`
  },
  async latest(db, session, words) {
    const { rows } = await sql<{ text: string }>`
      select text from messages where session_id = ${session} and ${sql.raw(isSaid)} and ${inMessages} @@ ${matching(words)}
      order by seq desc limit 1`.execute(db)
    return rows[0]?.text
  },
  async sessionsWith(db, message) {
    const { rows } = await sql<{ id: SessionId }>`
      select distinct session_id as id from messages where ${message}`.execute(db)
    return rows.map(({ id }) => id)
  },
}
