/** The system's code of an error, such as `ENOENT`. */
export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
