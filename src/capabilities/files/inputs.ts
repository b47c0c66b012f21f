import { z } from 'zod'

// A parameter means the same in every tool, so it is described once.

export const fileInput = z
  .string()
  .min(1)
  .describe('The file, relative to the workspace, with forward slashes: "outputs/report.md".')

export const folderInput = z
  .string()
  .min(1)
  .default('.')
  .describe('The folder, relative to the workspace. "." is the whole workspace.')

const editWords = {
  old_string: z
    .string()
    .describe('The text to replace, as it stands in the file, with enough lines around it to match only one place.'),
  new_string: z.string().describe('The text to put in its place. Empty deletes it.'),
  replace_all: z.boolean().default(false).describe('Replace every place instead of exactly one.'),
}

export const editInput = z.strictObject(editWords)
export const fileEditInput = z.strictObject({ path: fileInput, ...editWords })
