import { PDFDocument } from 'pdf-lib'
import { onTestFinished } from 'vitest'
import type { Inspection } from '../../src/domain/inspection.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { oneReader } from '../support/readers.ts'
import { type Answer, site, testWeb } from '../web/support.ts'
import type { ToolLimits, WholeContext } from './support.ts'
import { type Bench, bench } from './support.ts'

export interface WebBench extends Bench {
  origin: string
  use(tool: Tool, input: unknown): Promise<string>
}

/** A tool bench whose web is a site on loopback, with the workers that make pages. */
export async function webBench(answer: Answer, web: Partial<ToolLimits['web']> = {}): Promise<WebBench> {
  const pool = oneReader()
  onTestFinished(() => pool.stop())
  const { origin } = await site(answer)
  const { web: ours } = testWeb(
    { 'names.example': [['127.0.0.1']], 'inside.example': [['10.0.0.1']] },
    { readPage: (html, charset, url, signal) => pool.page({ html, charset, url }, 1_000_000, signal) },
  )
  const limits = { pageBytes: 100_000, downloadBytes: 200_000, timeoutMs: 60_000, results: 4, ...web }
  const made = await bench({ web: limits }, { web: ours })
  return { ...made, origin, use: (tool, input) => use(tool, input, made.context) }
}

export async function use(tool: Tool, input: unknown, context: WholeContext): Promise<string> {
  if (tool.kind !== 'run') throw new Error(`${tool.name} does not run`)
  return tool.run(tool.input.parse(input), context)
}

export function inspected(tool: Tool, input: unknown): Inspection | undefined {
  return tool.inspect?.(tool.input.parse(input))
}

export async function smallPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage([100, 100])
  return document.save()
}
