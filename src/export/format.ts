/** `zip` has the Markdown, the JSON and all files. */
export const exportFormats = ['md', 'json', 'zip'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportTypes: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  zip: 'application/zip',
}
