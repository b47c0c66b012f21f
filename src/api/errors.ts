import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { Failure } from '../kit/failure.ts'
import { nearestName } from '../kit/nearest.ts'
import { oneLine } from '../kit/text/text.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { apiWords } from './words.ts'

/** An error with its HTTP status. */
export class ApiError extends Failure {
  readonly status: ContentfulStatusCode

  constructor(status: ContentfulStatusCode, code: string, message: string, remedy: string) {
    super(code, message, remedy)
    this.status = status
  }
}

const statusOf: Record<string, ContentfulStatusCode> = {
  not_found: 404,
  path_refused: 400,
  not_a_file: 404,
  still_running: 409,
  said_since: 409,
  file_too_large: 413,
  too_many_files: 413,
  // Whoever repeats the request with the same key learns the outcome.
  outcome_unknown: 503,
}

const statusOfFault = (code: string): ContentfulStatusCode => (code === 'disk_full' ? 507 : 503)

/** `{error: {code, message, remedy}}` for whatever was thrown. Details of an unexpected error only go to the log. */
export function errorResponse(context: Context, thrown: unknown, report: (thrown: unknown) => void): Response {
  const fault = asUnavailable(thrown)
  if (fault !== undefined) {
    report(thrown)
    const { code, message, remedy } = fault
    return context.json({ error: { code, message, remedy } }, statusOfFault(code))
  }
  if (thrown instanceof Failure) {
    const status = thrown instanceof ApiError ? thrown.status : (statusOf[thrown.code] ?? 400)
    return context.json({ error: { code: thrown.code, message: thrown.message, remedy: thrown.remedy } }, status)
  }
  report(thrown)
  const error = {
    code: 'internal',
    message: apiWords.internalError(),
    remedy: apiWords.internalErrorRemedy(),
  }
  return context.json({ error }, 500)
}

/** Checks a value of a request; throws a 400 that names the field. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  remedy = 'See /api/v1/openapi.json.',
): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.flatMap((issue) => faultsOf(issue, schema))
  throw new ApiError(400, 'invalid', apiWords.invalidRequest({ faults: faults.join('; ') }), remedy)
}

const mostNamed = 3

/** One per unknown field. The first few are named, which may be thousands in one body. */
function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType): string[] {
  const place = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [`${place || 'the body'}: ${issue.message}`]
  const known = place === '' && schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return issue.keys.slice(0, mostNamed).map((key) => {
    const name = oneLine(key, 64)
    const nearest = nearestName(name, known)
    const field = [...issue.path, name].join('.')
    return nearest === undefined ? apiWords.unknownField({ field }) : apiWords.misspeltField({ field, nearest })
  })
}
