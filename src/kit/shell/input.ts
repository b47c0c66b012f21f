import { type Call, runsFile, type Scope, unclear } from './scope.ts'

const unseen = (call: Call, scope: Scope, program: string) => {
  const { kind } = call.input
  if (kind === 'pipe') unclear(scope, `what is piped into ${program} cannot be seen`)
  else if (kind === 'unseen') unclear(scope, `what ${program} reads from its input cannot be seen`)
}

/** The program text that comes from standard input. */
export function fromInput(call: Call, scope: Scope, program: string, onText: (text: string) => void) {
  if (call.input.kind === 'file') return runsFile(scope, call.input.path, program)
  if (call.input.kind !== 'text') return unseen(call, scope, program)
  if (call.input.text === undefined) return unclear(scope, `the text that ${program} reads is computed`)
  onText(call.input.text)
}
