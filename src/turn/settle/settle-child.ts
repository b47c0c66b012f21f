import { basename } from 'node:path'
import type { WorkspaceFile } from '../../domain/chat.ts'
import type { ChildTask, ChildTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { takeBack } from '../../store/calls.ts'
import { childEnd, findChild } from '../../store/children.ts'
import type { ChildEnd } from '../../store/inbox-event.ts'
import { lookAt } from '../../workspace/look.ts'
import type { OpenCall, Settled } from '../port/calls.ts'
import type { Turn } from '../state/turn.ts'
import { beginChild } from './begin-child.ts'
import { clear } from './clear.ts'
import { end } from './end-settled.ts'

/**
 * Opens the call's child session, or takes the result of the one it opened. While the child works, nothing waits but
 * rows: its end is an event in the inbox of this session.
 */
export async function settleChild(
  call: OpenCall,
  tool: ChildTool<never, never>,
  input: never,
  turn: Turn,
): Promise<Settled> {
  const { db } = turn.store
  const child = await findChild(db, call.id)
  if (child?.parent !== undefined) {
    const ended = await childEnd(db, call.id)
    if (ended === undefined) return 'waiting'
    await tool.ended?.(input, ended, turn.contextOf(tool, call.id) as never)
    return end(call, ended.state === 'done' ? 'done' : 'failed', resultOf(child.parent.name, ended), turn)
  }
  const task = await tool.task(input, turn.contextOf(tool, call.id) as never)
  if (task === undefined) return 'waiting'
  if (task === 'taken-back') {
    await turn.store.fenced(turn.lease, (tx) => takeBack(tx, call.id))
    return task
  }
  const cleared = await clear(call, tool, input, turn)
  if ('settled' in cleared) return cleared.settled
  const files = await Promise.all(task.files.map((path) => fileAt(path, turn)))
  const begun = await beginChild(turn, call, { ...task, files }, cleared.judgement)
  if (begun === 'ungranted') return settleChild(call, tool, input, turn)
  if (begun === 'begun') turn.bot.capabilities.see({ kind: 'call started', call: call.id, tool: tool.name }, turn.place)
  return 'waiting'
}

const counted = (steps: number): string => `${steps} ${steps === 1 ? 'step' : 'steps'}`

const resultOf = (name: string, { state, text, steps, isOutOfSteps }: ChildEnd): string => {
  if (state === 'done') return `[${name}, ${counted(steps)}]\n\n${text || '(It said nothing.)'}`
  if (isOutOfSteps) return `[${name}, ${counted(steps)}: it ran out of steps and may not be done]\n\n${text}`
  return `Error: ${name} ${state === 'failed' ? 'failed' : 'was stopped'} after ${counted(steps)}. ${text}`
}

async function fileAt(given: ChildTask['files'][number], { workspace }: Turn): Promise<WorkspaceFile> {
  const path = workspace.normalize(given)
  if ((await workspace.stat(path))?.kind !== 'file')
    throw new Failure('not_found', `There is no file ${path}.`, 'Look with list_files.')
  return { name: basename(path), path, ...(await lookAt(workspace, path, basename(path))) }
}
