import { Failure } from '../../kit/failure.ts'
import { onlyThread } from '../thread-named.ts'
import { cliWords } from '../words.ts'
import { mostListed, type Server } from './server.ts'

const wholeId = /^ses_[0-9a-z]{21}$/

/** The id of the thread that was typed; `last` is the one that was used last, in `project` if there is one. */
export async function threadMeant(typed: string, project: string | undefined, server: Server): Promise<string> {
  if (typed === 'last') return lastThread(server, project)
  const id = await idOf(typed, server)
  if (project !== undefined) await checkIsIn(project, id, server)
  return id
}

/** An id as it is shown in chat, if it is one of a thread that is listed; any other as it was typed. */
const idOf = async (typed: string, server: Server): Promise<string> =>
  wholeId.test(typed) ? typed : (onlyThread(typed, await server.threads(mostListed))?.id ?? typed)

/** Throws a Failure if it is elsewhere. */
async function checkIsIn(project: string, id: string, server: Server): Promise<void> {
  const thread = await server.thread(id)
  if (thread.project_id === project) return
  const remedy = cliWords.threadInOtherChannelRemedy({ project })
  throw new Failure('elsewhere', cliWords.threadInOtherChannel({ id, channel: thread.project_id }), remedy)
}

async function lastThread(server: Server, project: string | undefined): Promise<string> {
  const [last] = await server.threads(1, project)
  if (last !== undefined) return last.id
  if (project !== undefined)
    throw new Failure('no_session', cliWords.noLastThreadIn({ project }), cliWords.noLastThreadInRemedy({ project }))
  throw new Failure('no_session', cliWords.noLastThread(), cliWords.noLastThreadRemedy())
}
