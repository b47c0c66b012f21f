/** A refusal over HTTP. */
export const problem = (status: number, code: string, message: string, remedy = ''): Response =>
  Response.json({ error: { code, message, remedy } }, { status })
