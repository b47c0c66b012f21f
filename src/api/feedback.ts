import { giveFeedback } from '../inbound/feedback.ts'
import { findEventByKey } from '../store/events.ts'
import { readJson } from './body.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { feedbackBody } from './schemas.ts'
import { personIn, personOf, sessionOf } from './who.ts'
import { apiWords } from './words.ts'

/** What people think of an answer. */
export function feedbackRoutes(api: Api, deps: ApiDeps): void {
  const { store } = deps

  api.post('/agent/conversations/:id/feedback', async (context) => {
    const session = await sessionOf(context, deps)
    const { message_id: answer, value, reason, user_id } = checked(feedbackBody, await readJson(context, 100_000))
    const said = await findEventByKey(store.db, answer)
    const isAnswer = said?.type === 'message' && said.data.role === 'assistant' && said.conversation_id === session.id
    if (!isAnswer) {
      throw new ApiError(
        404,
        'not_found',
        apiWords.unknownAnswer(),
        'Send the `message_id` of a `message` event of the bot.',
      )
    }
    const person = personIn(session, personOf(deps, user_id))
    await giveFeedback(store, session.id, answer, { answer, value, reason, person })
    return context.body(null, 204)
  })
}
