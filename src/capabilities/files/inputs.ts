import { z } from 'zod'

// A parameter means the same in every tool, so it is described once.

export const fileInput = z.string().min(1).describe('Such as "outputs/report.md"')

export const folderInput = z.string().min(1).default('.').describe('A folder; by default all')

const editWords = {
  old_string: z.string().describe('Exactly as in the file, with enough context to be unique'),
  new_string: z.string().describe('What replaces it'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
}

export const editInput = z.strictObject(editWords)
export const fileEditInput = z.strictObject({ path: fileInput, ...editWords })
