import type { z } from 'zod'

/**
 * One operation of the HTTP interface, for its description. `path` is below `/api/v1`; one that isn't below the routes
 * of its capability is put there. What any request may be answered with, such as 401, needn't be named.
 */
export interface Operation {
  path: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  summary: string
  query?: z.ZodObject
  headers?: z.ZodObject
  /** A body of JSON. */
  body?: z.ZodType
  /** The same fields may be sent as a form, with files. */
  multipart?: boolean
  /** The media types of a body that isn't JSON. */
  takes?: readonly string[]
  answers: Record<number, string>
  /** The media types of what it answers with, if that isn't JSON. */
  sends?: readonly string[]
  answerHeaders?: z.ZodObject
}
