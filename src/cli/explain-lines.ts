import { z } from 'zod'
import { Failure, reasonOf } from '../kit/failure.ts'
import { type Json, parseJson } from '../kit/json.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const call = z.object({ tool: z.string(), input: z.json() })
type Call = z.infer<typeof call>

const form = () => cliWords.callLineRemedy({ example: '{"tool": "run_command", "input": {"command": "ls"}}' })

/**
 * Answers each line with one line, in order, as soon as it is complete. Empty and invalid lines are answered too, so
 * that the reader never gets out of step.
 */
export async function* explainLines(chunks: AsyncIterable<string>, verdictOn: (call: Call) => object) {
  let rest = ''
  for await (const chunk of chunks) {
    // Only \n ends a line; other line separators may be part of the JSON.
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map((line) => answer(line, verdictOn)).join('')
  }
  if (rest !== '') yield answer(rest, verdictOn)
}

function answer(line: string, verdictOn: (call: Call) => object): string {
  return `${JSON.stringify(explained(line, verdictOn))}\n`
}

function explained(line: string, verdictOn: (call: Call) => object): object {
  const failed = (message: string, remedy: string) => ({ kind: 'error', message, remedy })
  let json: Json
  try {
    json = parseJson(line)
  } catch (thrown) {
    return failed(cliWords.lineUnparsable({ reason: reasonOf(thrown) }), form())
  }
  const parsed = call.safeParse(json)
  if (!parsed.success) return failed(cliWords.lineWithoutCall(), form())
  try {
    return verdictOn(parsed.data)
  } catch (thrown) {
    if (thrown instanceof UsageFault) return failed(thrown.message, thrown.usage)
    if (thrown instanceof Failure) return failed(thrown.message, thrown.remedy)
    throw thrown
  }
}
