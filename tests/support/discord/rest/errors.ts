/** Where in a form something is wrong, as Discord nests it: `{content: {_errors: [{code, message}]}}`. */
export interface FormProblem {
  path: (string | number)[]
  code: string
  message: string
}

export class ApiError extends Error {
  readonly status: number
  readonly code: number
  readonly problems: FormProblem[]

  constructor(status: number, code: number, message: string, problems: FormProblem[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.problems = problems
  }

  get body(): unknown {
    return {
      message: this.message,
      code: this.code,
      ...(this.problems.length > 0 && { errors: nested(this.problems) }),
    }
  }
}

interface ErrorTree {
  [key: string]: ErrorTree | { code: string; message: string }[]
}

function nested(problems: FormProblem[]): ErrorTree {
  const root: ErrorTree = {}
  for (const { path, code, message } of problems) {
    let node = root
    for (const key of path) {
      node[key] ??= {}
      node = node[key] as ErrorTree
    }
    node._errors = [...((node._errors as { code: string; message: string }[] | undefined) ?? []), { code, message }]
  }
  return root
}

/** Discord's error codes with their status and text. */
const catalogue = {
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  10007: [404, 'Unknown Member'],
  10008: [404, 'Unknown Message'],
  10013: [404, 'Unknown User'],
  10014: [400, 'Unknown Emoji'],
  10015: [404, 'Unknown Webhook'],
  10062: [404, 'Unknown interaction'],
  10063: [404, 'Unknown application command'],
  20012: [403, 'You are not authorized to perform this action on this application'],
  30032: [400, 'Maximum number of application commands reached (100)'],
  40005: [413, 'Request entity too large'],
  40058: [400, 'Cannot send messages in a forum channel'],
  40094: [400, 'This interaction has hit the maximum number of follow up messages.'],
  40060: [400, 'Interaction has already been acknowledged.'],
  50001: [403, 'Missing Access'],
  50003: [400, 'Cannot execute action on a DM channel'],
  50005: [403, 'Cannot edit a message authored by another user'],
  50006: [400, 'Cannot send an empty message'],
  50007: [403, 'Cannot send messages to this user'],
  50008: [400, 'Cannot send messages in a non-text channel'],
  50013: [403, 'Missing Permissions'],
  50021: [403, 'Cannot execute action on a system message'],
  50024: [400, 'Cannot execute action on this channel type'],
  50027: [401, 'Invalid Webhook Token'],
  50035: [400, 'Invalid Form Body'],
  50083: [400, 'Thread is archived'],
  50109: [400, 'The request body contains invalid JSON.'],
  160004: [400, 'A thread has already been created for this message'],
  160005: [400, 'Thread is locked'],
} as const satisfies Record<number, [number, string]>

export type ErrorCode = keyof typeof catalogue

export function apiError(code: ErrorCode, problems: FormProblem[] = []): ApiError {
  const [status, message] = catalogue[code]
  return new ApiError(status, code, message, problems)
}

export const unauthorized = () => new ApiError(401, 0, '401: Unauthorized')
export const noSuchRoute = () => new ApiError(404, 0, '404: Not Found')

export const problem = (path: (string | number)[], code: string, message: string): FormProblem => ({
  path,
  code,
  message,
})
