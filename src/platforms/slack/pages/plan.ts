import type { URLSourceElement } from '@slack/types'
import type { PlannedStep, TurnView } from '../../../domain/turn-view.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { type LineLook, lastLines } from '../../words/last-lines.ts'
import { type CallPart, callsOf, callWords, endWords, planLine, recordLine } from '../../words/turn-words.ts'
import { chatWords } from '../../words/words.ts'
import type { Plan, Task } from './page.ts'

/** Slack accepts 50 tasks: if there are more, the first planned ones and the last ones done. */
const mostPlanned = 20
const mostCalls = 25
const mostNotices = 4
/** How much of a command's output is worth sending. */
export const lineLook: LineLook = { longest: 120, clean: (line) => line.replace(/[^\P{C}\t]/gu, '') }
/** Slack accepts 256 characters. */
const longestTitle = 250
const mostSources = 5
const longestSource = 75
const longestUrl = 2_000

const endings: Partial<Record<CallPart['status'], string>> = {
  denied: ' – denied',
  failed: ' – failed',
  unknown: ' – nobody knows whether it happened',
}

/** A spinner must not turn for ever once the work has stopped. */
function planned({ content, status, output = '' }: PlannedStep, goesOn: boolean): Task {
  const title = oneLine(content, longestTitle)
  if (status === 'in_progress' && goesOn) {
    const last = lastLines(output, lineLook)
    return { title, status, ...(last !== '' && { output: last }) }
  }
  if (status === 'in_progress') return { title, status: 'pending' }
  if (status === 'failed') return { title, status: 'error' }
  return { title, status: status === 'completed' ? 'complete' : 'pending' }
}

/** A stream can't take output back, only change titles: so the last line goes there. */
export const asTitles = (plan: Plan | undefined): Plan | undefined =>
  plan && {
    ...plan,
    tasks: plan.tasks.map(({ output, ...task }) =>
      output === undefined
        ? task
        : { ...task, title: oneLine(`${task.title} › ${output.split('\n').at(-1)}`, longestTitle) },
    ),
  }

/** Only addresses that Slack accepts as links. */
const sourcesOf = ({ sources = [] }: CallPart): URLSourceElement[] =>
  sources
    .filter(({ url }) => url.length <= longestUrl && /^https?:\/\//.test(url))
    .slice(0, mostSources)
    .map(({ url, title }) => ({ type: 'url', url, text: oneLine(visible(title), longestSource) || url }))

function done(call: CallPart, { state }: TurnView): Task {
  const goesOn = state === 'running'
  const title = `${callWords(call)}${endings[call.status] ?? ''}`
  if (call.status === 'running' && goesOn) {
    const output = lastLines(call.output ?? '', lineLook)
    return { title, status: 'in_progress', ...(output !== '' && { output }) }
  }
  // A subagent works on while people are asked.
  if (call.status === 'running') return { title, status: state === 'waiting' ? 'pending' : 'error' }
  const sources = sourcesOf(call)
  const status = call.status === 'done' ? 'complete' : 'error'
  return { title, status, ...(sources.length > 0 && { sources }) }
}

function titleOf(view: TurnView, goesOn: boolean): string {
  if (!goesOn) return recordLine(view) ?? endWords(view) ?? chatWords.plan()
  const running = callsOf(view).findLast(({ status }) => status === 'running')
  const what = running === undefined ? view.plan && planLine(view.plan) : `${callWords(running)}…`
  return view.warning ?? what ?? chatWords.working()
}

/** What a turn has done and plans to do, as Slack's plan; undefined if there is nothing. */
export function planOf(view: TurnView): Plan | undefined {
  const goesOn = view.state === 'running'
  const tasks: Task[] = [
    ...view.notices
      .slice(0, mostNotices)
      .map((notice) => ({ title: oneLine(`⚠ ${notice}`, longestTitle), status: 'error' as const })),
    ...[...(view.plan?.steps ?? []), ...view.todos].slice(0, mostPlanned).map((one) => planned(one, goesOn)),
    ...callsOf(view)
      .slice(-mostCalls)
      .map((call) => done(call, view)),
  ]
  if (tasks.length === 0 && goesOn && view.warning !== undefined) {
    tasks.push({ title: oneLine(view.warning, longestTitle), status: 'in_progress' })
  }
  return tasks.length === 0 ? undefined : { title: oneLine(titleOf(view, goesOn), longestTitle), tasks }
}
