import { inputOf } from '../../domain/messages.ts'
import type { RuleRef } from '../../domain/verdict.ts'
import { fewest } from '../hooks/fewest.ts'
import type { CallStatus, OpenCall, Settled } from '../port/calls.ts'
import type { Turn } from '../state/turn.ts'
import { endCall } from './call-journal.ts'
import { cutResult } from './cut-result.ts'

/** Ends a call with what capabilities make of its result, cut to what is shown of it. */
export async function end(
  call: OpenCall,
  status: CallStatus,
  text: string,
  turn: Turn,
  { rule, isOurs }: { rule?: RuleRef; isOurs?: boolean | undefined } = {},
): Promise<Settled> {
  const tool = turn.findTool(call.name)
  const ended = { tool: call.name, input: inputOf(call), status, result: text }
  const done = await turn.bot.capabilities.hooks.callDone(ended, turn.hookContext)
  turn.bot.outputStream.end(call.id)
  const { workspace, store, bot } = turn
  const { outputBytes: maxBytes, lineCharacters } = bot.config.tools
  const cutting = { workspace, mask: (whole: string) => store.mask(whole), maxBytes, lineCharacters }
  const result = tool?.pages ? done.text : await cutResult(call.id, done.text, cutting)
  await endCall(turn, call, status, result, { rule, isOurs, rounds: fewest(tool?.rounds, done.rounds) })
  turn.bot.capabilities.see({ kind: 'call ended', call: call.id, tool: tool?.name, status }, turn.place)
  return status
}
