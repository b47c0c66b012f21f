import { pendingRequests } from '../store/list-requests.ts'
import { ask } from './ask/ask.ts'
import type { Left } from './port/moments.ts'
import { readInbox } from './read/read-inbox.ts'
import { finishedBy, isAnswer } from './settle/finished.ts'
import { settleAll } from './settle/settle-all.ts'
import { newOutputs, postOutputs } from './state/outputs.ts'
import type { Turn } from './state/turn.ts'
import { recordChanges, recordEarlierChanges } from './state/workspace-changes.ts'

/**
 * Runs one turn from wherever it stands. Returns when the turn has ended, waits for a person, or the process is
 * stopping. After a crash, a restart or a click a day later, it starts here again.
 */
export async function runTurn(turn: Turn): Promise<Exclude<Left, 'failed'>> {
  await recordEarlierChanges(turn.row, turn)
  try {
    return await loop(turn)
  } catch (thrown) {
    // Whatever it changed before it failed is recorded as its own.
    await recordChanges(turn.row.id, turn).catch(turn.report)
    throw thrown
  }
}

async function loop(turn: Turn): Promise<Exclude<Left, 'failed'>> {
  const { journal } = turn
  const { maxCallsPerStep } = turn.bot.config.agent
  const { leaving } = turn.bot.engine
  // The last reply of an earlier process may have ended the turn.
  let mayHaveFinished = journal.steps > 0
  while (!leaving.aborted) {
    const { justRead } = turn
    turn.justRead = undefined
    const settled = justRead ? 'none' : await settleCalls(turn)
    if (settled === 'waiting') {
      if (await journal.rest()) return 'waiting'
      continue
    }
    if (leaving.aborted) break

    if (settled === 'settled' || mayHaveFinished) {
      // The reply, a description of the images it was made from, and the results.
      const answer = finishedBy(await journal.history(maxCallsPerStep + 2), turn)
      if (answer !== undefined) {
        if ((await journal.finish(answer, 'nothing-arrived', await newOutputs(turn))) === 'ended') return 'done'
      }
    }
    mayHaveFinished = false

    if (!justRead) await readInbox(turn)
    // What had arrived when the turn was about to end may have been deleted since.
    if (journal.steps > 0 && isAnswer((await journal.history(1)).at(-1)) && !(await journal.underway())) {
      if ((await journal.endAnswered(await newOutputs(turn))) === 'ended') return 'done'
      continue
    }
    if ((await ask(journal.steps < turn.maxSteps ? 'step' : 'last', turn, justRead)) === 'ended') return 'done'
  }
  return 'interrupted'
}

/** Takes every open call as far as it can; `waiting` when one needs a person, `none` when none was open. */
async function settleCalls(turn: Turn): Promise<'none' | 'settled' | 'waiting'> {
  const open = await turn.journal.openCalls()
  if (open.length === 0) return 'none'
  await turn.status('acting')
  // Tools expect the folders to exist, even those that use the directory's path.
  if (open.some(({ name }) => turn.findTool(name)?.kind === 'run')) await turn.workspace.make()
  await turn.bot.capabilities.beforeCalls(turn, turn.hookContext)
  const questions = open.filter(({ name, state }) => state === 'proposed' && turn.findTool(name)?.kind === 'ask')
  // Files are read when they are uploaded, and another call could be writing them then.
  if (questions.length === open.length) await postOutputs(turn)
  const outcome = await settleAll(open, turn)
  // While only child sessions work for it, nobody is told that it waits.
  if (outcome === 'waiting' && (await pendingRequests(turn.store.db, turn.session.id)).length > 0) {
    const hasChildren = open.some(({ name }) => turn.findTool(name)?.kind === 'child')
    // Child sessions may be writing files.
    if (hasChildren) await recordChanges(turn.row.id, turn)
    else await postOutputs(turn, questions.length > 0 ? 'changed' : 'unposted')
  }
  await turn.status(outcome === 'waiting' ? 'waiting' : 'observing')
  return outcome
}
