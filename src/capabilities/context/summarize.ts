import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { ContextTools } from './compact-context.ts'
import { contextWords } from './words.ts'

export const summarize = defineTool({
  kind: 'run',
  name: 'summarize',
  onDemand: true,
  description:
    'Summarises a long text or file. It takes up no context here: use this for what is too long to read. But only the beginning of a very long one is read, and the summary says so.',
  input: z
    .strictObject({
      path: z.string().min(1).optional().describe('The file, from the root of the workspace.'),
      text: z.string().min(1).optional().describe('The text, if it isn’t in a file.'),
      focus: z.string().max(1_000).optional().describe('What matters in it, and what for.'),
      words: z.int().min(20).max(2_000).default(300).describe('Approximate length of the summary.'),
    })
    .refine(({ path, text }) => (path === undefined) !== (text === undefined), 'Give exactly one of path and text.'),
  doing: ({ path }) => (path === undefined ? contextWords.summarisingText() : contextWords.summarising({ path })),
  effect: 'read',
  repeatable: true,
  timeoutMs: 1_800_000,
  paths: ({ path }) => (path === undefined ? [] : [path]),
  source: ({ path }) => (path === undefined ? 'a summary' : `a summary of the file ${path}`),
  run: ({ path, text, focus, words }, { summarize, signal, workspace }: ContextTools) =>
    summarize({ path: path && workspace.normalize(path), text, focus, words }, signal),
})
