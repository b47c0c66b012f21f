import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { DocumentsContext } from './context.ts'
import { failures, said } from './recognition/words.ts'

const input = z.strictObject({
  path: z.string().min(1).describe('The file'),
  pages: z.int().min(1).describe('How many'),
  usd: z.number().min(0).describe('The cost that you were told'),
})

/** A person agrees to what it costs: the call asks them, because the pages go to the vision model. */
export const readScan = defineTool({
  kind: 'run',
  name: 'read_scan',
  description: 'Reads a scan, which costs money.',
  input,
  doing: ({ path, pages, usd }) => said.doing(path, pages, usd),
  effect: 'external',
  repeatable: true,
  onDemand: true,
  paths: ({ path }) => [path],
  run: async ({ path, pages, usd }, { documents, signal }: DocumentsContext) => {
    if (documents.readScan === undefined) throw failures.noScan()
    return documents.readScan(path, { pages, usd }, signal)
  },
})
