import { setTimeout as sleep } from 'node:timers/promises'
import type { CallId } from '../../domain/ids.ts'
import { Failure } from '../../kit/failure.ts'
import { readJob, startJob } from '../../store/jobs.ts'
import { baseOf } from '../../turn/port/command.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { budgetOf } from './levels.ts'
import { textOf } from './pieces.ts'
import type { ContextSettings } from './settings.ts'
import { type Progress, type SummarizeOrder, summarizing } from './summarize-job.ts'
import { contextWords } from './words.ts'

/**
 * A piece has at most this many characters per token that a model may be sent, because a token can be a single
 * character.
 */
const pieceShare = 0.5
const leastCharacters = 2_000

/** How long to wait between two checks, ms: at first, and at most. */
const lookMs = { first: 20, most: 1_000 }

/** Starts the job of a call, unless it is there already, and waits for its result. */
export async function summarizeNow(
  wish: SummarizeOrder,
  signal: AbortSignal,
  { bot, session, lease, workspace, documents }: TurnScope,
  call: CallId,
  settings: ContextSettings,
): Promise<string> {
  const { db } = bot.store
  // Whichever model answers in the thread, the base model writes the summary.
  const { model } = baseOf(bot)
  if (model.practice)
    throw new Failure('no_model', contextWords.cannotSummarise(), contextWords.cannotSummariseRemedy())
  if (wish.path !== undefined) await textOf(wish.path, { workspace, documents, signal, lacks() {} }).next()
  const characters = Math.max(leastCharacters, Math.floor(budgetOf(model, settings) * pieceShare))
  const { path = null, text = null, focus = null, words } = wish
  const input = { path, text, focus, words, session: session.id, characters }
  await bot.store.fenced(lease, (tx) =>
    startJob(tx, { kind: summarizing, key: call, owner: call, input: withoutNulls(input) }),
  )
  for (let pause = lookMs.first; ; pause = Math.min(lookMs.most, pause * 2)) {
    const job = await readJob(db, summarizing, call)
    const result = (job?.checkpoint as unknown as Progress | undefined)?.result
    if (result !== undefined) return result
    if (job === undefined || job.state === 'failed')
      throw new Failure(
        'not_summarised',
        contextWords.notSummarised({ why: job?.reason?.replace(/\.$/, '') ?? contextWords.jobEnded() }),
        contextWords.notSummarisedRemedy(),
      )
    await sleep(pause, undefined, { signal })
  }
}

const withoutNulls = <Input extends Record<string, string | number | null>>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
