import type { z } from 'zod'

/** One operation of the HTTP interface, below `/api/v1`, for its description. */
export interface Operation {
  path: string
  method: 'get' | 'post' | 'patch' | 'delete'
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  multipart?: boolean
  answers: Record<number, string>
  streams?: boolean
}
